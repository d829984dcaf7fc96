// The middle of the page: one call, with everything that runs if it is approved.

import { command } from './copy.js';
import { byId, el } from './dom.js';
import { guardFact, guardNotice } from './guard.js';
import { approvedInput, hiddenNotice, input } from './input.js';
import { fromLink, linkStands, linkTrouble } from './link.js';
import { idle, overview } from './overview.js';
import { parts } from './parts.js';
import { questions } from './questions.js';
import { reason, riskBadge, sentence, stateBadge } from './sentence.js';
import { progress } from './session.js';
import { begunBefore, whyNotRun } from './steps.js';
import { state } from './state.js';
import { others, requesterFact, termsNotices } from './terms.js';
import { time } from './time.js';
import { visible } from './visible.js';

/**
 * @param {object} actions
 * @param {() => void} actions.back
 * @param {() => void} actions.again
 * @param {() => void} actions.send
 * @param {() => void} actions.withdraw
 * @param {() => void} actions.route
 * @param {() => void} actions.leaveLink
 * @param {(id: string) => void} actions.open
 */
export function drawCall(actions) {
  const place = byId('call');
  const focused = place.contains(document.activeElement) && document.activeElement !== place ? document.activeElement : null;
  if (state.detail) place.replaceChildren(call(state.detail, actions));
  else if (state.detailProblem) place.replaceChildren(trouble(actions));
  else if (state.selected) place.replaceChildren(el('div', { class: 'empty' }, el('p', {}, 'Loading the call…'), el('p', {}, 'Nothing can be answered before it is here.')));
  else if (linkStands()) place.replaceChildren(linkTrouble({ list: actions.leaveLink, again: actions.route }));
  else if (idle()) place.replaceChildren(overview(actions.open));
  else place.replaceChildren(el('div', { class: 'empty' }, el('p', {}, state.list === 'ready' ? 'Choose a call on the left.' : '')));
  if (!(focused instanceof HTMLElement) || focused === document.activeElement) return;
  if (focused.isConnected) focused.focus({ preventScroll: true }); // a form that stays keeps it
  else place.focus({ preventScroll: true });
}

function trouble(actions) {
  const missing = state.detailProblem?.missing;
  return el('div', { class: 'call' }, backButton(actions), el('div', { class: 'notice bad' }, el('b', {}, missing ? 'There is no such call.' : 'This call cannot be shown.'), visible(state.detailProblem?.message)),
    missing ? el('p', {}, 'It may have been removed with its session. The history shows all calls there are.') : el('p', {}, el('button', { type: 'button', on: { click: actions.again } }, 'Try again')),
    missing ? null : el('p', { class: 'muted' }, 'In a terminal on the machine of the server it can be seen and answered without this page:'),
    missing ? null : command(`assent sessions show ${state.selected}`));
}

function backButton(actions) {
  return el('button', { type: 'button', class: 'back', on: { click: actions.back } }, '‹ All calls');
}

function call(detail, actions) {
  return el('article', { class: 'call', 'aria-labelledby': 'call-title' },
    backButton(actions),
    head(detail),
    ...notices(detail, actions),
    progress(),
    questions(detail, actions.send) ?? input(detail),
    approvedInput(detail),
    parts(detail.rules));
}

function head(detail) {
  return el('header', { class: 'call-head' },
    el('div', { class: 'facts' }, riskBadge(detail.risk), el('b', { class: 'exact' }, visible(detail.tool, { line: true })), stateBadge(detail),
      el('span', {}, 'asked ', time(detail.since, 'at')), detail.expires && detail.state === 'pending' ? time(detail.expires, 'until') : null),
    el('h2', { id: 'call-title' }, sentence(detail.edited_sentence ?? detail.sentence)),
    detail.edited_sentence ? el('p', { class: 'muted' }, 'The agent wanted: ', sentence(detail.sentence)) : null,
    el('div', { class: 'facts' }, el('span', {}, 'ticket ', el('code', {}, detail.id)), el('span', { title: detail.digest }, 'digest ', el('code', {}, shortDigest(detail.digest))), guardFact(detail), requesterFact(detail), el('span', { id: 'looking', class: 'looking', role: 'status', hidden: true })));
}

/** The beginning of a digest, which is enough to compare by eye. */
export function shortDigest(digest) {
  return String(digest).replace(/^(sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1…');
}

function notices(detail, actions) {
  return [
    fromLink(detail),
    state.answerProblem ? el('div', { class: 'notice bad', role: 'alert' }, el('b', {}, 'The answer was not taken.'), visible(state.answerProblem)) : null,
    detail.problem ? el('div', { class: 'notice bad' }, el('b', {}, 'It cannot be approved as it stands.'), visible(detail.problem)) : null,
    ...termsNotices(detail, actions.withdraw),
    notRun(detail),
    standing(detail),
    begun(detail),
    detail.rule ? added(detail.rule) : null,
    guardNotice(detail),
    detail.doubt && detail.state === 'pending' ? el('p', { class: 'notice' }, el('b', {}, 'It will most likely fail.'), visible(detail.doubt)) : null,
    detail.fixed && detail.state === 'pending' ? el('p', { class: 'muted' }, 'It can be approved only as it is: ', visible(detail.fixed, { line: true }), '.') : null,
    hiddenNotice(detail),
    detail.moved && detail.state === 'pending' ? el('div', { class: 'notice bad' }, el('b', {}, 'It leads to another file than when it was parked.'), visible(detail.moved)) : null,
    detail.confirm && detail.state === 'pending' ? el('div', { class: 'notice bad' }, el('b', {}, 'High risk'), visible(detail.confirm.why)) : null,
  ].filter(Boolean);
}

const ruleWords = {
  waits: 'The rule is added in a moment, when the answer cannot be taken back any more.',
  taken_back: 'The rule was taken back with the answer.',
  dropped: 'The rule was not added: somebody has said something else about the call since.',
};

/** What became of the rule that was to be added. */
function added(rule) {
  if (rule.problem) return el('div', { class: 'notice bad', role: 'alert' }, el('b', {}, rule.state === 'failed' ? 'The call is approved, but the rule was not added.' : 'The call is approved, but the rule does nothing for now.'), reason(rule.problem), rule.state === 'added' && rule.file ? el('p', {}, 'It stands in ', el('code', { class: 'exact' }, visible(rule.file, { line: true }))) : null);
  if (rule.rules.length === 0 && !ruleWords[rule.state]) return el('div', { class: 'notice good' }, el('b', {}, 'It was set for this session.'));
  const none = rule.rules.length === 0; // it is a mode or a directory
  if (!ruleWords[rule.state] && rule.file) {
    const file = el('code', { class: 'exact' }, visible(rule.file, { line: true }));
    return el('div', { class: 'notice good' }, el('b', {}, 'The rule was added to ', file, '.'), el('code', { class: 'exact' }, visible(rule.rules.join(', '), { line: true })));
  }
  return el('div', { class: `notice ${ruleWords[rule.state] ? '' : 'good'}` }, el('b', {}, ruleWords[rule.state] ?? 'The rule was added.'), none ? null : el('code', { class: 'exact' }, visible(rule.rules.join(', '), { line: true })), rule.file ? ' in ' : ' for this session', rule.file ? el('code', { class: 'exact' }, visible(rule.file, { line: true })) : '');
}

/** A yes after which the call was refused all the same. */
function notRun(detail) {
  const why = whyNotRun(detail);
  return why === null ? null : el('div', { class: 'notice bad' }, el('b', {}, why ? 'It did not run: ' : 'It did not run.'), visible(why));
}

/** Somebody has said of a call that it did not run: it may have, and whoever approves it next has to know. */
export function begun(detail) {
  const before = begunBefore(detail);
  if (!before) return null;
  const { at, who, note } = before;
  return el('div', { class: 'notice bad' }, el('b', {}, 'It was begun before.'), 'It was begun ', at ? 'at ' : 'once', at ? time(at, 'at') : '', ' and nobody saw its end; ', visible(who, { line: true }), ' has said that it did not run', note ? ': ' : '.', note ? visible(note) : '');
}

/** Green is for what goes as whoever approved it wanted, as far as anybody here knows. */
function tone(detail) {
  if (detail.answer?.decision === 'deny' || detail.state === 'failed') return 'bad';
  return ['approved', 'running', 'done'].includes(detail.state) ? 'good' : '';
}

/** What is known of a call that was approved, where that is not the success of its tool. */
function outcome({ state: now, asker }) {
  if (now === 'failed') return el('b', {}, 'It was run, and failed.');
  if (now !== 'handed') return null;
  return el('p', {}, el('b', {}, 'Handed over.'), 'The guard of ', visible(asker, { line: true }), ' has the yes. Whether the call ran, and how, is known only there.');
}

/** What has become of a call that does not wait any more. */
function standing(detail) {
  const said = detail.answer;
  const lapsed = detail.state === 'expired' || !said && detail.history?.some(({ to }) => to === 'expired');
  if (lapsed) return el('div', { class: 'notice' }, el('b', {}, 'Its time is over.'), `Nobody answered before it expired, so it counts as ${detail.outcome === 'allow' ? 'allowed, as the settings say' : 'denied'}.`);
  switch (detail.state) {
    case 'pending':
      return null;
    case 'unknown':
      return el('div', { class: 'notice bad' }, el('b', {}, 'Nobody knows whether it ran.'), `The process that ran it died. ${detail.tool === 'Bash' ? 'Its command may still be running: look for it first (ps),' : 'What it began may still go on: look for that first,'} then at what it would have changed. Then say below whether it ran. It is never run again by itself.`);
    default:
      if (!said) return null;
      return el('div', { class: `notice ${tone(detail)}` }, outcome(detail), el('b', {}, said.decision === 'deny' ? 'Denied by ' : detail.edited_sentence ? 'Approved as edited by ' : 'Approved by ', visible(said.by, { line: true }), ' at ', time(said.at, 'at')), said.reason ? visible(said.reason) : null, others(detail), detail.deniable && said.decision === 'allow' ? el('p', {}, 'It has not begun, so it can still be denied.') : null);
  }
}
