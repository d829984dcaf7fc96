// Differences, as the server makes them: "+", "-" or a blank before each line, and "…" for
// lines that stay as they are.

import { el } from './dom.js';
import { visible } from './visible.js';

/**
 * @param {string[]} lines
 * @param {string} label for people who cannot see it
 */
export function diff(lines, label) {
  return el('div', { class: 'diff', role: 'group', 'aria-label': label, tabindex: '0' }, lines.map(lineOf));
}

function lineOf(text) {
  const rest = visible(text.slice(1));
  switch (text[0]) {
    case '+':
      return el('ins', {}, '+ ', rest);
    case '-':
      return el('del', {}, '- ', rest);
    case ' ':
      return el('span', {}, '  ', rest);
    default:
      return el('span', { class: 'gap' }, visible(text));
  }
}

/**
 * Not all lines of a change are shown.
 * @param {Change} change
 */
export function isCut(change) {
  return (change.of ?? 0) > 0;
}

/**
 * What a call would do to a file as it is now, or did.
 * @typedef {{path: string, lines: string[], note?: string, of?: number}} Change of: how many lines there are, where not all are among these
 * @param {Change} change
 */
export function fileChange(change) {
  const added = change.lines.filter((line) => line.startsWith('+')).length;
  const removed = change.lines.filter((line) => line.startsWith('-')).length;
  return el('div', { class: 'named' },
    el('span', { class: 'name exact' }, visible(change.path, { line: true })),
    change.note ? el('p', {}, visible(change.note)) : null,
    isCut(change) ? el('p', { class: 'notice bad' }, el('b', {}, `${change.lines.length - 1} of ${change.of} lines`), 'The rest of the change is not in this box. All of the input is below it.') : null,
    change.lines.length > 0 ? diff(change.lines, `Change of the file: ${added} lines added, ${removed} removed`) : null);
}
