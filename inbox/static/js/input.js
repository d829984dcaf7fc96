// The input of a call, exactly: each field by its name, and the whole as JSON.

import { el, plural } from './dom.js';
import { fileChange, isCut } from './diff.js';
import { indented, members } from './json.js';
import { exact, told, untrusted } from './untrusted.js';
import { countHidden, visible } from './visible.js';

// What a person reads first. The other fields follow in their own order.
const main = ['command', 'file_path', 'url', 'path', 'query'];

// How many fields are shown by their names. Who wants more reads the input as JSON, in which all of them are.
export const mostFields = 200;

/** @param {import('./state.js').Detail} detail */
export function input(detail) {
  return box(detail.state === 'pending' ? 'What the agent wants to run, exactly' : 'What the agent wanted to run, exactly',
    { value: detail.input, text: detail.input_text, change: detail.change, seenBy: seenBy(detail, !detail.edited), pretty: (detail.input_pretty ?? []).join('\n') });
}

/** What a person has approved in place of what the agent wanted. @param {import('./state.js').Detail} detail */
export function approvedInput(detail) {
  if (!detail.edited) return null;
  const pretty = indented(detail.edited_text);
  if (detail.questions?.length) return untrusted('What was answered', ...answered(detail), whole(pretty, false));
  return box('What was approved', { value: detail.edited, text: detail.edited_text, change: detail.edited_change, seenBy: seenBy(detail, true), pretty });
}

/** Whose eyes the change was shown to, once it is not that of the file as it is now: the last one who has approved it. */
function seenBy({ answer, change_kept: kept, history, digest }, approved) {
  const by = answer?.decision === 'allow' ? answer.by : history?.findLast((step) => step.change && step.digest === digest)?.who;
  return kept && approved && by ? el('p', { class: 'muted' }, 'What ', visible(by, { line: true }), ' was shown:') : null;
}

/** The answers as they are told to the agent, each below its question. */
function answered({ questions, edited }) {
  return questions.map(({ question }) => el('div', { class: 'named' }, el('span', { class: 'name told' }, visible(question)), told(edited.answers?.[question] ?? '')));
}

/**
 * @typedef {{value: any, text: string, change: any, seenBy: any, pretty: string}} Input
 * @param {string} title
 * @param {Input} one
 */
function box(title, one) {
  const named = simple(one) ? fieldsOf(one) : [];
  const cut = named.length > mostFields;
  return untrusted(title, one.change ? one.seenBy ?? null : null, one.change ? fileChange(one.change) : null, fields(one, named.slice(0, mostFields)),
    cut ? el('p', { class: 'notice bad' }, el('b', {}, `${mostFields} of ${named.length} fields`), 'The others are not listed by their names. All of the input is below, as JSON.') : null,
    whole(one.pretty, cut || !simple(one)));
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
function simple({ value }) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The fields by their names, each as JSON, in the order in which they are read. @param {Input} one */
function fieldsOf(one) {
  const said = one.change ? ['file_path'] : [];
  return [...members(one.text)].filter(([name]) => !said.includes(name)).sort(([a], [b]) => rank(a) - rank(b));
}

/** @param {Input} one @param {[string, string][]} shown */
function fields(one, shown) {
  return shown.map(([name, written]) => (one.change && contents.includes(name) ? folded(name, written, one.change) : field(name, written))).filter(Boolean);
}

// What a change of a file is made of.
const contents = ['content', 'old_string', 'new_string'];

/** The change says what these would say, in a form that can be read, if it says all of it. */
function folded(name, written, change) {
  if (change.lines.length > 0 && !isCut(change)) return null;
  const text = JSON.parse(written);
  return el('details', {}, el('summary', {}, el('code', {}, name), `, all of it: ${plural(text.replace(/\n$/, '').split('\n').length, 'line')}`), exact(text));
}

function rank(name) {
  const at = main.indexOf(name);
  return at < 0 ? main.length : at;
}

/** @param {string} name @param {string} written the value as JSON */
function field(name, written) {
  const text = written.startsWith('"') ? JSON.parse(written) : indented(written);
  return el('div', { class: 'named' }, el('span', { class: 'name exact' }, visible(name, { line: true })), exact(text, name === 'command' ? 'big' : ''));
}

function whole(pretty, open) {
  return el('details', { open }, el('summary', {}, 'The input as JSON'), exact(pretty));
}
