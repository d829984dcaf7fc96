// Approve as it stands: at once, with the answers to questions, or after typing a word.

import { approvable, approve } from './answer.js';
import { begun } from './call.js';
import { confirmField } from './confirm.js';
import { actions, showDialog } from './dialog.js';
import { announce, el } from './dom.js';
import { leadsTo } from './places.js';
import { answers } from './questions.js';
import { sentence } from './sentence.js';
import { state } from './state.js';
import { visible } from './visible.js';

export function startApprove() {
  const detail = state.detail;
  if (!detail || !approvable()) return;
  /** @type {Record<string, any>} */
  const more = {};
  if (detail.questions?.length) {
    const given = answers(detail);
    if (given.missing) {
      announce('A question has no answer yet.');
      given.missing.focus();
      return;
    }
    more.answers = given.answers;
  }
  if (detail.confirm) openConfirm(detail, more);
  else approve(more);
}

function openConfirm(detail, more) {
  const button = el('button', { type: 'submit', class: 'danger', disabled: true }, 'Approve once');
  const confirm = confirmField(detail.confirm, () => { button.disabled = !confirm.ok(); });
  const submit = () => {
    if (confirm.ok()) approve({ ...more, confirm: confirm.word() }, { dialog, shown: detail });
  };
  const dialog = showDialog({ title: 'Approve a call of high risk', submit, about: detail, inside: [el('p', {}, sentence(detail.sentence)), el('p', { class: 'muted' }, 'in ', el('code', { class: 'exact' }, visible(detail.cwd, { line: true }))), leadsTo(detail), begun(detail), confirm.node, actions(button)] });
  dialog.form.querySelector('input')?.focus();
}
