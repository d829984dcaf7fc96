// The box for what the agent wrote. Nothing of it stands anywhere else.

import { el } from './dom.js';
import { visible } from './visible.js';

/**
 * @param {string} title what it is
 * @param {...(Node|null|Node[])} inside
 */
export function untrusted(title, ...inside) {
  return el('figure', { class: 'untrusted', 'data-untrusted': true }, el('figcaption', {}, el('span', {}, title), el('span', {}, 'untrusted')), el('div', { class: 'inside' }, ...inside));
}

/** Prose of the agent. */
export function told(text) {
  return el('p', { class: 'told' }, visible(text));
}

const mostLines = 60;
const mostCharacters = 6000;

/**
 * Exact text, such as a command or a file. A long one is folded, and says how much of it is.
 * @param {string} text
 * @param {string} [size]
 */
export function exact(text, size = '') {
  const lines = text.split('\n');
  if (lines.length <= mostLines && text.length <= mostCharacters) return el('pre', { class: `exact ${size}` }, visible(text));
  let shown = lines.slice(0, mostLines).join('\n').slice(0, mostCharacters);
  if (/[\uD800-\uDBFF]$/.test(shown)) shown = shown.slice(0, -1); // no half of a pair
  const rest = text.slice(shown.length);
  const bytes = new TextEncoder().encode(rest).length;
  const pre = el('pre', { class: `exact ${size}` }, visible(shown));
  const button = el('button', { type: 'button', class: 'folded', on: { click: () => pre.replaceChildren(visible(text)) || button.remove() } }, `Show the rest: ${rest.split('\n').length} lines, ${bytes.toLocaleString('en')} bytes`);
  return el('div', {}, pre, button);
}
