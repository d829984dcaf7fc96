// One dialog at a time. It belongs to the call that was looked at when it opened, and closes
// when that call is answered by somebody else.

import { el, newId } from './dom.js';
import { visible } from './visible.js';

/** @type {HTMLDialogElement|null} */
let open = null;

export function dialogOpen() {
  return open !== null;
}

export function closeDialog() {
  open?.close();
}

/**
 * @param {object} options
 * @param {string} options.title
 * @param {any[]} options.inside
 * @param {boolean} [options.broad]
 * @param {() => void} [options.submit]
 */
export function showDialog({ title, inside, broad = false, submit }) {
  closeDialog();
  const name = newId();
  const problem = el('p', { class: 'notice bad', role: 'alert', hidden: true });
  const form = el('form', { novalidate: true, on: { submit: (event) => { event.preventDefault(); submit?.(); } } }, el('h2', { id: name }, title), ...inside.slice(0, -1), problem, inside.at(-1));
  const dialog = el('dialog', { 'aria-labelledby': name, class: broad ? 'broad' : '' }, form);
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (open === dialog) open = null;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  open = dialog;
  dialog.showModal();
  return {
    form,
    close: () => dialog.close(),
    /** Says what went wrong, and leaves the dialog as it is. */
    fail(message) {
      problem.replaceChildren(visible(message));
      problem.hidden = false;
    },
  };
}

/** The buttons below a dialog: the way out first, then what it is for. */
export function actions(...buttons) {
  return el('div', { class: 'actions' }, el('button', { type: 'button', on: { click: closeDialog } }, 'Cancel'), ...buttons);
}
