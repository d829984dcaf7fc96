// The fields of an editor for an input. Texts are edited as text, everything else as JSON,
// so nothing is changed that nobody has touched. An input with very many fields is edited as a whole.

import { el, newId } from './dom.js';
import { mostFields } from './input.js';
import { countHidden, escapedJSON, visible } from './visible.js';

/**
 * @param {import('./state.js').Detail} detail
 * @param {() => void} changed
 * @param {Record<string, string>} typed before, by the names of the fields
 * @returns {{node: any, text: () => string, problem: () => string, focus: () => void, values: () => Record<string, string>}}
 */
export function editor(detail, changed, typed) {
  const pretty = (detail.input_pretty ?? []).join('\n');
  const plain = detail.input !== null && typeof detail.input === 'object' && !Array.isArray(detail.input);
  return plain && Object.keys(detail.input).length <= mostFields && exactInBrowser(pretty) ? byField(detail.input, changed, typed) : asJSON(pretty, changed, typed);
}

// The browser reads numbers as floating point. An input with a number that does not survive
// that is edited as a whole.
function exactInBrowser(text) {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return (bare.match(/-?\d[\d.eE+-]*/g) ?? []).every((number) => String(Number(number)) === number);
}

const wholeName = 'The input as JSON';

function asJSON(text, changed, typed) {
  const area = box(wholeName, typed[wholeName] ?? escapedJSON(text), changed);
  return { values: () => ({ [wholeName]: area.input.value }), node: area.node, text: () => area.input.value, problem: () => problemOf(area.input.value), focus: () => area.input.focus() };
}

function byField(input, changed, typed) {
  const parts = Object.entries(input).map(([name, value]) => part(name, value, changed, Object.hasOwn(typed, name) ? typed[name] : undefined));
  return {
    values: () => Object.fromEntries(parts.map(({ name, value }) => [name, value()])),
    node: el('div', { class: 'call' }, parts.map(({ node }) => node)),
    text: () => `{${parts.map(({ name, text }) => `${JSON.stringify(name)}:${text()}`).join(',')}}`,
    problem: () => parts.map(({ name, problem }) => problem() && `${name}: ${problem()}`).find(Boolean) ?? '',
    focus: () => parts[0]?.focus(),
  };
}

/** @returns {{name: string, node: any, value: () => string, text: () => string, problem: () => string, focus: () => void}} */
function part(name, value, changed, typed) {
  const asText = typeof value === 'string' && countHidden(value) === 0;
  if (asText) {
    const area = box(name, typed ?? value, changed);
    return { name, node: area.node, value: () => area.input.value, text: () => JSON.stringify(area.input.value), problem: () => '', focus: () => area.input.focus() };
  }
  const quoted = typeof value === 'string';
  const note = quoted ? ' (as JSON, with its quotation marks: it holds characters that cannot be seen)' : ' (JSON)';
  const area = box(name, typed ?? escapedJSON(JSON.stringify(value, null, 2)), changed, note);
  const problem = () => problemOf(area.input.value) && (quoted ? 'Keep the quotation marks around the text, and write \\" for one inside of it. ' : '') + problemOf(area.input.value);
  return { name, node: area.node, value: () => area.input.value, text: () => area.input.value, problem, focus: () => area.input.focus() };
}

function problemOf(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON yet. ${error instanceof Error ? error.message : ''}`;
  }
}

function box(name, text, changed, note = '') {
  const id = newId();
  const rows = Math.min(14, Math.max(1, text.split('\n').length + Math.floor(text.length / 90)));
  const input = el('textarea', { id, class: 'mono exact', rows: String(rows), spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', on: { input: changed } });
  input.value = text;
  return { input, node: el('div', { class: 'field' }, el('label', { for: id }, visible(name, { line: true }), note), input) };
}
