// The right side: why the call stopped, what happens if it runs, and what was said before.

import { fileChange } from './diff.js';
import { byId, el, plural } from './dom.js';
import { ruleSource } from './parts.js';
import { covers, ruleLines, setsMode } from './rule.js';
import { reason, sentence, stateBadge } from './sentence.js';
import { turns, workerWords } from './session.js';
import { changesOf, stepsOf, stepText } from './steps.js';
import { state } from './state.js';
import { time } from './time.js';
import { told, untrusted } from './untrusted.js';
import { visible } from './visible.js';
import { mayApprove } from './who.js';

/** @param {{openRule: () => void}} actions */
export function drawContext(actions) {
  const detail = state.detail;
  byId('facts').replaceChildren(...(detail ? [el('div', { class: 'context' }, why(detail), consequences(detail), doing(detail), earlier(detail), suggestion(detail, actions), steps(detail), el('section', { id: 'record', 'aria-label': 'On record' }))] : []));
}

function part(title, ...inside) {
  return el('section', {}, el('h3', {}, title), ...inside);
}

function why(detail) {
  const rules = detail.rules;
  const source = ruleSource(rules?.rule_source);
  const said = detail.why ?? '';
  const otherwise = rules && rules.decision !== 'ask' && detail.state === 'pending';
  return part('Why it stopped',
    detail.why ? el('p', {}, reason(detail.why)) : null,
    rules?.rule && !otherwise && !said.includes(rules.reason) ? el('p', {}, 'The rules of today: ', reason(rules.reason)) : null,
    rules?.rule && source && !`${said} ${rules.reason}`.includes(source) ? el('p', { class: 'muted' }, 'The rule ', el('code', { class: 'exact' }, visible(rules.rule, { line: true })), ' stands in ', el('code', { class: 'exact' }, visible(source, { line: true }))) : null,
    detail.unjudged ? el('p', { class: 'notice' }, el('b', {}, 'The rules of today cannot judge it.'), visible(detail.unjudged)) : null,
    otherwise ? el('p', { class: 'notice' }, `The rules of today say: ${rules.decision}. `, reason(rules.reason)) : null,
    ...(rules?.notes ?? []).map((note) => el('p', { class: 'muted' }, 'About what the rules say: ', visible(note))));
}

/** What is said of a call that is over is what it was, not what it would be. */
function consequencesOf(state) {
  if (state === 'pending') return 'If you approve';
  if (state === 'unknown') return 'If it ran';
  if (['approved', 'running'].includes(state)) return 'What it may do';
  return ['done', 'failed', 'ran'].includes(state) ? 'What it may have done' : 'What it would have done';
}

function consequences(detail) {
  const c = detail.consequences;
  if (!c) return null;
  const pair = (name, value) => (value ? [el('dt', {}, name), el('dd', {}, value)] : []);
  const files = (c.files ?? []).map(file);
  return part(consequencesOf(detail.state),
    el('dl', { class: 'pairs' },
      ...pair('in', el('code', { class: 'exact' }, visible(c.cwd, { line: true }))),
      ...pair('on', machine(c, detail)),
      ...pair('goes on', workerWords(detail.labels)),
      ...pair('network', c.network ? 'may reach other machines' : 'stays on its machine'),
      ...(files.length > 0 ? [el('dt', {}, 'files'), el('dd', {}, el('ul', {}, files))] : [])));
}

/** Where it runs. Of a call that a worker takes nobody knows that before. */
function machine({ where, host, user }, { asker }) {
  if (where === 'worker') return 'the machine of whichever worker takes the session, as the user of that worker';
  if (where === 'agent') return visible(`the machine of ${asker}, as its user`, { line: true });
  return host && visible(user ? `${host} as ${user}` : host, { line: true });
}

/** @param {{path: string, access: string, inside: boolean, protected?: boolean, problem?: string}} f */
function file(f) {
  const remarks = [f.protected ? 'protected' : '', f.inside ? '' : 'outside of the project', f.problem ?? ''].filter(Boolean).join(', ');
  return el('li', {}, `${f.access} `, el('code', { class: 'exact' }, visible(f.path, { line: true })), remarks ? el('span', { class: 'muted' }, ' ', visible(remarks, { line: true })) : null);
}

// How many steps are shown without a click.
const newest = 2;

function doing(detail) {
  const c = detail.context;
  if (c?.problem) return part('What the agent was doing', el('p', { class: 'muted' }, visible(c.problem)));
  if (!c?.prompt && !c?.turns?.length) return null;
  const steps = turns((c.turns ?? []).filter((turn) => turn.who !== 'person' || turn.text !== c.prompt));
  const [before, last] = [steps.slice(0, -newest), steps.slice(-newest)];
  return part('What the agent was doing', untrusted('Task and last steps',
    c.prompt ? el('div', { class: 'turn' }, el('span', { class: 'who' }, 'task'), told(c.prompt)) : null,
    before.length > 0 ? el('details', {}, el('summary', {}, `${plural(before.length, 'step')} before`), el('div', { class: 'past' }, ...before)) : null,
    ...last));
}

function earlier(detail) {
  const e = detail.earlier;
  if (!e) return null;
  const last = (e.last ?? []).map((item) => el('li', {}, stateBadge(item), el('span', { class: 'sentence' }, sentence(item.edited_sentence ?? item.sentence))));
  return part('Earlier calls like this', el('p', { class: 'number' }, e.approved + e.denied === 0 ? 'None was answered before.' : `${e.approved} approved, ${e.denied} denied`), last.length > 0 ? el('ul', { class: 'past' }, ...last) : null);
}

function suggestion(detail, actions) {
  const s = detail.suggestion;
  if (!s?.updates?.length && detail.no_rule && detail.state === 'pending' && !detail.questions?.length) return part('A rule for calls like this', el('p', { class: 'muted' }, 'There is none: ', reason(detail.no_rule)));
  if (!s?.updates?.length) return null;
  return part(setsMode(s.updates[0]) ? 'Instead of asking each time' : 'A rule for calls like this', ...ruleLines(s.updates[0]),
    detail.stopped_by === 'hook' ? el('p', { class: 'muted' }, 'A hook stopped this call, and it stops calls like this all the same, as long as it is there.') : null,
    el('p', { class: 'muted' }, covers(detail, s.updates[0]).text),
    detail.state === 'pending' && mayApprove() ? el('p', {}, el('button', { type: 'button', class: 'link', on: { click: actions.openRule } }, 'Look at it, and approve with it')) : null);
}

/** What somebody was shown who has approved a change, where that is not what is shown now. */
function wasShown({ change, edited_change: edited }, { change: then, who }) {
  if (!then || [change?.digest, edited?.digest].includes(then.digest)) return null;
  return el('details', {}, el('summary', {}, 'What ', visible(who, { line: true }), ' was shown'), untrusted('The change of the file then', fileChange(then)));
}

function steps(detail) {
  const happened = stepsOf(detail.history);
  if (happened.length === 0) return null;
  const edited = detail.edited_sentence ? changesOf(detail.history).findLast(({ to }) => to === 'approved') : null;
  const step = (h) => el('li', {}, h.at ? time(h.at, 'at') : el('span'), el('span', {}, ...stepText(h, h === edited ? 'approved as edited by ' : undefined), wasShown(detail, h)));
  return part('What happened to it', el('ol', { class: 'steps' }, happened.map(step)), el('p', { class: 'muted' }, 'session ', el('code', {}, detail.session)));
}
