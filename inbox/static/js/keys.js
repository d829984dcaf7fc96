// Keys. They do nothing while somebody types or a dialog is open, and those that answer do
// nothing right after another call has come up, or when they are held down.

import { dialogOpen } from './dialog.js';
import { keysAlive } from './select.js';

/** @param {EventTarget|null} target */
function types(target) {
  return target instanceof HTMLElement && (target.matches('textarea, select, [contenteditable]') || target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type));
}

/**
 * @param {Record<string, () => void>} moving keys that only look around
 * @param {Record<string, () => void>} answering keys that begin an answer
 */
export function startKeys(moving, answering) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && event.target instanceof HTMLElement && types(event.target)) return event.target.blur();
    if (dialogOpen() || types(event.target)) return;
    const key = event.shiftKey && event.key.length === 1 && /[A-Za-z]/.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();
    const move = moving[key];
    const answer = answering[key];
    if (!move && !answer) return;
    event.preventDefault();
    if (move) move();
    else if (!event.repeat && keysAlive()) answer();
  });
}
