// The fields of an editor for an input. Texts are edited as text, everything else as JSON,
// so nothing is changed that nobody has touched.

import { el, newId } from './dom.js';
import { countHidden, escapedJSON, visible } from './visible.js';

/**
 * @param {import('./state.js').Detail} detail
 * @param {() => void} changed
 * @returns {{node: any, text: () => string, problem: () => string, focus: () => void}}
 */
export function editor(detail, changed) {
  const pretty = (detail.input_pretty ?? []).join('\n');
  const plain = detail.input !== null && typeof detail.input === 'object' && !Array.isArray(detail.input);
  return plain && exactInBrowser(pretty) ? byField(detail.input, changed) : asJSON(pretty, changed);
}

// The browser reads numbers as floating point. An input with a number that does not survive
// that is edited as a whole.
function exactInBrowser(text) {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return (bare.match(/-?\d[\d.eE+-]*/g) ?? []).every((number) => String(Number(number)) === number);
}

function asJSON(text, changed) {
  const area = box('The input as JSON', escapedJSON(text), changed);
  return { node: area.node, text: () => area.input.value, problem: () => problemOf(area.input.value), focus: () => area.input.focus() };
}

function byField(input, changed) {
  const parts = Object.entries(input).map(([name, value]) => part(name, value, changed));
  return {
    node: el('div', { class: 'call' }, ...parts.map(({ node }) => node)),
    text: () => `{${parts.map(({ name, text }) => `${JSON.stringify(name)}:${text()}`).join(',')}}`,
    problem: () => parts.map(({ name, problem }) => problem() && `${name}: ${problem()}`).find(Boolean) ?? '',
    focus: () => parts[0]?.focus(),
  };
}

/** @returns {{name: string, node: any, text: () => string, problem: () => string, focus: () => void}} */
function part(name, value, changed) {
  const asText = typeof value === 'string' && countHidden(value) === 0;
  if (asText) {
    const area = box(name, value, changed);
    return { name, node: area.node, text: () => JSON.stringify(area.input.value), problem: () => '', focus: () => area.input.focus() };
  }
  const note = typeof value === 'string' ? ' (as JSON: it holds characters that cannot be seen)' : ' (JSON)';
  const area = box(name, escapedJSON(JSON.stringify(value, null, 2)), changed, note);
  return { name, node: area.node, text: () => area.input.value, problem: () => problemOf(area.input.value), focus: () => area.input.focus() };
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
