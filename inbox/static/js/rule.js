// Approve, and allow calls like this from now on: the rule, the file it is written to, and
// the past calls it would have covered.

import { approvable, approve } from './answer.js';
import { confirmField } from './confirm.js';
import { actions, closeDialog, showDialog } from './dialog.js';
import { el, newId, plural } from './dom.js';
import { leadsTo } from './places.js';
import { reasonField } from './reason.js';
import { reason, sentence, stateBadge } from './sentence.js';
import { state } from './state.js';
import { escaped, visible } from './visible.js';

const scopes = { session: 'This session only', local: 'This project, on this machine only', project: 'Everybody in this project', user: 'Every project of the account' };

/**
 * @typedef {{type: string, account: string, rules?: string[], directories?: string[], mode?: string, destination: string, file?: string, files?: Record<string, string>, scopes: string[],
 *   held?: string[], why?: string, says?: string}} Update
 * @param {Update} update
 * @returns {string[]} what it would add to the settings
 */
function additions(update) {
  return [...(update.rules ?? []).map((rule) => `allow ${rule}`), ...(update.directories ?? []).map((dir) => `further directory ${dir}`), ...(update.mode ? [`permission mode ${update.mode}`] : [])];
}

/** It is no rule for calls like this, but lets the session do more. @param {Update} update */
export function setsMode(update) {
  return update.type === 'setMode';
}

/**
 * @param {Update} update
 * @param {string} [file] where it would be written
 */
export function ruleLines(update, file = update.file) {
  return [
    setsMode(update) && update.says ? el('p', { class: 'says' }, visible(update.says)) : null,
    ...additions(update).map((line) => el('code', { class: 'exact rule-line' }, '+ ', visible(line, { line: true }))),
    file ? el('p', { class: 'muted' }, 'in ', el('code', { class: 'exact' }, visible(file, { line: true })), ', written by the account ', el('code', { class: 'exact' }, visible(update.account, { line: true })), ' of the server') : null,
  ].filter(Boolean);
}

/**
 * What the past says about an update at a place. A mode is for what comes, and what lasts as
 * long as a session says nothing about the calls of others.
 * @param {import('./state.js').Detail} detail
 * @param {Update} update
 * @param {string} [scope]
 * @returns {{text: string, denied: number, examples: any[]}}
 */
export function covers({ suggestion, stopped_by: stopper }, update, scope = update.destination) {
  if (setsMode(update)) return { text: '', denied: 0, examples: [] };
  const here = scope === 'session';
  const { covers: n, denied, examples } = here ? suggestion.session : suggestion;
  const calls = here ? plural(n, 'other call', 'other calls') + ' of this session' : plural(n, 'past call');
  if (here && n === 0) return { text: 'It covers no other call of this session so far.', denied, examples };
  if (n === 0) return { text: stopper === 'hook' ? 'It would have covered no past call.' : 'It covers no past call.', denied, examples };
  return { text: `${stopper === 'hook' ? 'Without the hook it would have covered' : 'It covers'} ${calls}, of which ${denied} ${denied === 1 ? 'was' : 'were'} denied.`, denied, examples };
}

/** Why no rule can be added to a call that can be approved; empty when one can, or when nothing can be approved. */
export function whyNoRule() {
  const detail = state.detail;
  if (!detail || !approvable() || canAddRule()) return '';
  if (detail.questions?.length) return 'A question is answered each time.';
  return detail.no_rule || 'No rule would let calls like this run.';
}

export function canAddRule() {
  return approvable() && Boolean(state.detail?.suggestion?.updates?.length) && !state.detail?.questions?.length;
}

export function openRule() {
  const detail = state.detail;
  if (!detail || !canAddRule()) return tellWhyNot();
  const suggestion = detail.suggestion;
  const name = newId();
  const choice = (update, i) => el('label', { class: 'choice' }, el('input', { type: 'radio', name, value: String(i), checked: i === 0, on: { change: follow } }), el('span', { class: 'lines' }, ...ruleLines(update)));
  const scope = el('select', { id: `${name}-scope` });
  const chosen = () => Number(/** @type {HTMLInputElement} */ (dialog.form.querySelector(`input[name="${name}"]:checked`)).value);
  const button = el('button', { type: 'submit', class: detail.confirm ? 'danger' : 'primary', disabled: Boolean(detail.confirm) });
  const confirm = confirmField(detail.confirm, () => { button.disabled = !confirm.ok(); });
  const held = el('p', { class: 'notice bad', hidden: true });
  const past = el('div', { class: 'field' });
  const why = reasonField(detail);
  /** The file is that of the place, and where it would do nothing, that is said before. */
  function place() {
    const update = suggestion.updates[chosen()];
    held.hidden = !update.held?.includes(scope.value);
    held.replaceChildren(el('b', {}, 'It would do nothing there.'), reason(update.why));
    dialog.form.querySelectorAll('.choice .lines')[chosen()].replaceChildren(...ruleLines(update, update.files?.[scope.value] ?? ''));
    past.replaceChildren(...tried(covers(detail, update, scope.value)));
  }
  scope.addEventListener('change', place);
  /** The scope is the narrowest, which the server names, until the person chooses another. */
  function follow() {
    const update = suggestion.updates[chosen()];
    scope.replaceChildren(...update.scopes.map((value) => el('option', { value }, value === 'user' ? `${scopes.user} ${escaped(update.account)}` : scopes[value] ?? value)));
    scope.value = update.destination;
    place();
    button.textContent = setsMode(update) ? 'Approve, and do not ask for these' : 'Approve and add the rule';
  }
  const dialog = showDialog({
    title: 'Approve, and allow calls like this',
    broad: true, about: detail,
    submit: () => {
      const { rules = [], directories = [], mode } = suggestion.updates[chosen()];
      if (confirm.ok() && why.ok()) approve({ ...why.given(), rule: { index: chosen(), scope: scope.value, rules, directories, ...(mode && { mode }) }, ...(detail.confirm && { confirm: confirm.word() }) }, { dialog, shown: detail });
    },
    inside: [
      el('fieldset', { class: 'choices' }, el('legend', { class: 'unseen' }, 'The rule'), ...suggestion.updates.map(choice)),
      el('div', { class: 'field' }, el('label', { for: `${name}-scope` }, 'For whom'), scope),
      held,
      detail.stopped_by === 'hook' ? el('p', { class: 'notice' }, el('b', {}, 'The hook asks all the same.'), 'A hook stopped this call, and hooks come before the rules. As long as it is there, the rule does not keep it from stopping calls like this.') : null,
      past,
      leadsTo(detail),
      why.node,
      confirm.node,
      actions(button),
    ],
  });
  follow();
  (confirm.node?.querySelector('input') ?? dialog.form.querySelector('input'))?.focus();
}

/** @param {{text: string, denied: number, examples: any[]}} found in the past */
function tried({ text, denied, examples }) {
  const past = examples.map((item) => el('li', {}, stateBadge(item), el('span', { class: 'sentence' }, sentence(item.edited_sentence ?? item.sentence))));
  return [
    text ? el('p', { class: denied > 0 ? 'notice bad' : '' }, text) : null,
    past.length > 0 ? el('h3', {}, 'Such calls of the past') : null,
    past.length > 0 ? el('ul', { class: 'past' }, ...past) : null,
  ].filter(Boolean);
}

/** A key that does nothing says why. */
function tellWhyNot() {
  const why = whyNoRule();
  if (!why) return;
  showDialog({ title: 'There is no rule to add', inside: [el('p', { class: 'says' }, reason(why)), el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: closeDialog } }, 'Close'))] });
}
