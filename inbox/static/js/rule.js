// Approve, and allow calls like this from now on: the rule, the file it is written to, and
// the past calls it would have covered.

import { approvable, approve } from './answer.js';
import { confirmField } from './confirm.js';
import { actions, showDialog } from './dialog.js';
import { el, newId, plural } from './dom.js';
import { reason, sentence, stateBadge } from './sentence.js';
import { state } from './state.js';
import { visible } from './visible.js';

const scopes = { session: 'This session only', local: 'Me, in this project', project: 'Everybody in this project', user: 'Me, everywhere' };

/**
 * @typedef {{type: string, rules?: string[], directories?: string[], mode?: string, destination: string, file?: string, scopes: string[],
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

/** @param {Update} update */
export function ruleLines(update) {
  return [
    setsMode(update) && update.says ? el('p', { class: 'says' }, visible(update.says)) : null,
    ...additions(update).map((line) => el('code', { class: 'exact rule-line' }, '+ ', visible(line, { line: true }))),
    update.file ? el('p', { class: 'muted' }, 'in ', el('code', { class: 'exact' }, visible(update.file, { line: true }))) : null,
  ].filter(Boolean);
}

/** What the past says about it; nothing where the past was not asked. */
export function covers(suggestion) {
  if (suggestion.covers === 0 && suggestion.updates.some(setsMode)) return '';
  return `It covers ${plural(suggestion.covers, 'past call')}, of which ${suggestion.denied} ${suggestion.denied === 1 ? 'was' : 'were'} denied.`;
}

export function canAddRule() {
  return approvable() && Boolean(state.detail?.suggestion?.updates?.length) && !state.detail?.questions?.length;
}

export function openRule() {
  const detail = state.detail;
  if (!detail || !canAddRule()) return;
  const suggestion = detail.suggestion;
  const name = newId();
  const choice = (update, i) => el('label', { class: 'choice' }, el('input', { type: 'radio', name, value: String(i), checked: i === 0, on: { change: follow } }), el('span', {}, ...ruleLines(update)));
  const scope = el('select', { id: `${name}-scope` });
  const chosen = () => Number(/** @type {HTMLInputElement} */ (dialog.form.querySelector(`input[name="${name}"]:checked`)).value);
  const button = el('button', { type: 'submit', class: detail.confirm ? 'danger' : 'primary', disabled: Boolean(detail.confirm) });
  const confirm = confirmField(detail.confirm, () => { button.disabled = !confirm.ok(); });
  const held = el('p', { class: 'notice bad', hidden: true });
  /** Where it would do nothing, that is said before. */
  function warn() {
    const update = suggestion.updates[chosen()];
    held.hidden = !update.held?.includes(scope.value);
    held.replaceChildren(el('b', {}, 'It would do nothing there.'), reason(update.why));
  }
  scope.addEventListener('change', warn);
  /** The scope is that of the update, until the person chooses another. */
  function follow() {
    const update = suggestion.updates[chosen()];
    scope.replaceChildren(...update.scopes.map((value) => el('option', { value }, scopes[value] ?? value)));
    scope.value = update.destination;
    warn();
    button.textContent = setsMode(update) ? 'Approve, and do not ask for these' : 'Approve and add the rule';
  }
  const examples = (suggestion.examples ?? []).map((item) => el('li', {}, stateBadge(item.state), el('span', { class: 'sentence' }, sentence(item.sentence))));
  const dialog = showDialog({
    title: 'Approve, and allow calls like this',
    broad: true, about: detail,
    submit: () => {
      if (confirm.ok()) approve({ rule: { index: chosen(), scope: scope.value, rules: suggestion.updates[chosen()].rules ?? [] }, ...(detail.confirm && { confirm: confirm.word() }) }, { dialog });
    },
    inside: [
      el('fieldset', { class: 'choices' }, el('legend', { class: 'unseen' }, 'The rule'), ...suggestion.updates.map(choice)),
      el('div', { class: 'field' }, el('label', { for: `${name}-scope` }, 'For whom'), scope),
      held,
      covers(suggestion) ? el('p', { class: suggestion.denied > 0 ? 'notice bad' : '' }, covers(suggestion)) : null,
      examples.length > 0 ? el('div', { class: 'field' }, el('h3', {}, 'Past calls that it covers'), el('ul', { class: 'past' }, ...examples)) : null,
      confirm.node,
      actions(button),
    ],
  });
  follow();
  (confirm.node?.querySelector('input') ?? dialog.form.querySelector('input'))?.focus();
}
