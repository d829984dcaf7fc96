// A command for a terminal, with a button that copies it.

import { announce, el } from './dom.js';
import { visible } from './visible.js';

/** @param {string} text */
export function command(text) {
  const code = el('code', { class: 'exact' }, visible(text));
  const button = el('button', { type: 'button', on: { click: () => copy(text, button, code) } }, 'Copy');
  return el('div', { class: 'command' }, code, button);
}

async function copy(text, button, code) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    announce('The command is copied.');
  } catch { // browsers forbid it to pages without TLS on other machines
    getSelection()?.selectAllChildren(code);
    announce('The command is selected. Copy it with the keyboard.');
  }
}

/** A word as a shell takes it for one. */
export function quoted(word) {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
