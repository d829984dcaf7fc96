// Keys. They do nothing while somebody types or a dialog is open, and those that answer do
// nothing right after another call has come up, or when they are held down.

import { dialogOpen } from './dialog.js';
import { keysAlive } from './select.js';

// Who types into a field that is taken away types on. What they type are words and no
// commands, until they have noticed, and the keyboard was silent for so long.
const silence = 1_500;
/** @type {HTMLElement|null} the field in which somebody types, until they leave it themselves */
let field = null;
let startled = false;
let lastKey = 0;

/** @param {EventTarget|null} target */
function types(target) {
  return target instanceof HTMLElement && (target.matches('textarea, select, [contenteditable]') || target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type));
}

/** @param {KeyboardEvent} event in a field */
function leaves({ key, ctrlKey, metaKey, target }) {
  return key === 'Escape' || key === 'Tab' || key === 'Enter' && (ctrlKey || metaKey || target instanceof HTMLInputElement);
}

/** @param {KeyboardEvent} event */
function watchTyping(event) {
  const now = performance.now();
  const pause = now - lastKey;
  lastKey = now;
  if (event.target instanceof HTMLElement && types(event.target)) {
    field = leaves(event) ? null : event.target;
    startled = false;
    return;
  }
  if (field && field.getClientRects().length === 0) startled = true;
  else if (pause >= silence) startled = false;
  field = null;
  if (startled && !['Tab', 'Escape'].includes(event.key)) event.preventDefault(); // nor do they press a button
}

/**
 * @param {Record<string, () => void>} moving keys that only look around
 * @param {Record<string, () => void>} answering keys that begin an answer
 */
export function startKeys(moving, answering) {
  document.addEventListener('keydown', watchTyping, true);
  document.addEventListener('pointerdown', () => { field = null; }, true);
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && event.target instanceof HTMLElement && types(event.target)) return event.target.blur();
    if (dialogOpen() || types(event.target) || startled) return;
    const key = event.shiftKey && event.key.length === 1 && /[A-Za-z]/.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
    const move = moving[key];
    const answer = answering[key];
    if (!move && !answer) return;
    event.preventDefault();
    if (move) move();
    else if (!event.repeat && keysAlive()) answer();
  });
}
