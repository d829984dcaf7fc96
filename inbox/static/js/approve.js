// Approve as it stands: at once, with the answers to questions, or after writing a reason or
// typing a word.

import { approvable, approve } from './answer.js';
import { begun } from './call.js';
import { confirmField } from './confirm.js';
import { actions, showDialog } from './dialog.js';
import { announce, el } from './dom.js';
import { leadsTo } from './places.js';
import { answers } from './questions.js';
import { reasonField } from './reason.js';
import { sentence } from './sentence.js';
import { state } from './state.js';
import { approveLabel, hasVoted, needsReason } from './terms.js';
import { visible } from './visible.js';

export function startApprove() {
  const detail = state.detail;
  if (!detail || !approvable() || hasVoted(detail)) return;
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
  if (detail.confirm || needsReason(detail)) openApprove(detail, more);
  else approve(more);
}

/** What takes more than a key. */
function openApprove(detail, more) {
  const risky = Boolean(detail.confirm);
  const button = el('button', { type: 'submit', class: risky ? 'danger' : 'primary', disabled: risky }, approveLabel(detail));
  const confirm = confirmField(detail.confirm, () => { button.disabled = !confirm.ok(); });
  const why = reasonField(detail);
  const submit = () => {
    if (confirm.ok() && why.ok()) approve({ ...more, ...why.given(), ...(risky && { confirm: confirm.word() }) }, { dialog, shown: detail });
  };
  const dialog = showDialog({ title: risky ? 'Approve a call of high risk' : 'Approve this call', submit, about: detail, inside: [el('p', {}, sentence(detail.sentence)), el('p', { class: 'muted' }, 'in ', el('code', { class: 'exact' }, visible(detail.cwd, { line: true }))), leadsTo(detail), begun(detail), why.node, confirm.node, actions(button)] });
  dialog.form.querySelector('textarea, input')?.focus();
}
