// Deny with a reason, and say what became of a call whose outcome nobody knows.

import { deny, resolve } from './answer.js';
import { actions, showDialog } from './dialog.js';
import { draft, keepDraft } from './drafts.js';
import { el, newId } from './dom.js';
import { sentence } from './sentence.js';
import { state } from './state.js';

/**
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.label
 * @param {string} options.button
 * @param {boolean} options.needed the text may not be empty
 * @param {any} [options.warning]
 * @param {(text: string, dialog: any) => void} options.send
 */
function ask({ title, label, button, needed, warning = null, send }) {
  const detail = state.detail;
  if (!detail) return;
  const id = newId();
  const text = el('textarea', { id, rows: '3', autofocus: true, maxlength: '4000', on: { input: () => keepDraft(detail.id, title, text.value) } });
  text.value = draft(detail.id, title) ?? '';
  const submit = () => {
    if (needed && text.value.trim() === '') {
      dialog.fail('Write a reason: the agent is told, so that it can find another way.');
      text.focus();
      return;
    }
    send(text.value.trim(), dialog);
  };
  const dialog = showDialog({
    title, submit, about: { id: detail.id, state: detail.state, digest: detail.digest }, // wherever it leads, it can be denied
    inside: [el('p', {}, sentence(detail.sentence)), warning, el('div', { class: 'field' }, el('label', { for: id }, label), text), actions(el('button', { type: 'submit', class: 'danger' }, button))],
  });
}

export function openDeny() {
  ask({ title: 'Deny this call', label: 'Reason, which the agent is told', button: 'Deny', needed: true, send: deny });
}

/** @param {boolean} ran */
export function openResolve(ran) {
  ask({
    title: ran ? 'It ran' : 'It did not run', label: 'How do you know? (for the record)', button: ran ? 'It ran' : 'It did not run', needed: false,
    warning: ran ? null : el('p', { class: 'notice bad' }, 'Be sure that it is not still running. If it is, and the call is approved again, it happens twice.'),
    send: (note, dialog) => resolve(ran, note, dialog),
  });
}
