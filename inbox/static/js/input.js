// The input of a call, exactly: each field by its name, and the whole as JSON.

import { el, plural } from './dom.js';
import { fileChange } from './diff.js';
import { exact, untrusted } from './untrusted.js';
import { countHidden, visible } from './visible.js';

// What a person reads first. The other fields follow in their own order.
const main = ['command', 'file_path', 'url', 'path', 'query'];

/** @param {import('./state.js').Detail} detail */
export function input(detail) {
  const pretty = (detail.input_pretty ?? []).join('\n');
  return untrusted('What the agent wants to run, exactly', detail.change ? fileChange(detail.change) : null, ...fields(detail), whole(pretty, !simple(detail)));
}

/** A warning when something in the input cannot be seen. */
export function hiddenNotice(detail) {
  const n = hiddenIn(detail.input);
  if (n === 0) return null;
  return el('p', { class: 'notice bad' }, el('b', {}, `${plural(n, 'character')} in this input cannot be seen.`), 'They are shown as chips with their number, such as ⟨U+202E⟩. Honest calls rarely need them.');
}

function hiddenIn(value) {
  if (typeof value === 'string') return countHidden(value);
  if (value === null || typeof value !== 'object') return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + countHidden(key) + hiddenIn(inner), 0);
}

/** The input can be shown field by field. */
function simple(detail) {
  return detail.input !== null && typeof detail.input === 'object' && !Array.isArray(detail.input);
}

function fields(detail) {
  if (!simple(detail)) return [];
  // The change says what these would say, in a form that can be read.
  const told = detail.change ? ['file_path', 'content', 'old_string', 'new_string'] : [];
  const names = Object.keys(detail.input).filter((name) => !told.includes(name));
  names.sort((a, b) => rank(a) - rank(b));
  return names.map((name) => field(name, detail.input[name]));
}

function rank(name) {
  const at = main.indexOf(name);
  return at < 0 ? main.length : at;
}

function field(name, value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return el('div', { class: 'named' }, el('span', { class: 'name exact' }, visible(name, { line: true })), exact(text, name === 'command' ? 'big' : ''));
}

function whole(pretty, open) {
  return el('details', { open }, el('summary', {}, 'The input as JSON'), exact(pretty));
}
