// What the keys do, and what the page promises.

import { closeDialog, showDialog } from './dialog.js';
import { el } from './dom.js';

const keys = [
  ['A', 'approve once: exactly what is shown, one time'],
  ['D', 'deny; the agent is told your reason'],
  ['E', 'edit, then approve what you made of it'],
  ['R', 'approve, and add a rule for calls like this'],
  ['U', 'take your last answer back, as long as that is offered'],
  ['J', 'next call'],
  ['K', 'previous call'],
  ['X', 'choose this call for a common answer'],
  ['Shift+A', 'approve the chosen calls'],
  ['/', 'search the history'],
  ['Ctrl+Enter', 'send what a dialog is for'],
  ['Esc', 'close a dialog, leave a field; what you typed is there again when you come back'],
  ['?', 'this page'],
];

export function openHelp() {
  showDialog({
    title: 'Keyboard and help',
    submit: closeDialog,
    inside: [
      el('dl', { class: 'keys' }, ...keys.flatMap(([key, does]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, does)])),
      el('p', { class: 'muted' }, 'Keys answer nothing for the first moment after another call comes up. A call of high risk is approved by typing a word. Boxes with a dashed border hold what the agent wrote: read them, do not believe them.'),
      el('div', { class: 'actions' }, el('button', { type: 'submit', autofocus: true }, 'Close')),
    ],
  });
}
