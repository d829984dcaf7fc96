// The simple commands of a shell call, each with the verdict of the rules.

import { el } from './dom.js';
import { visible } from './visible.js';

const words = { allow: 'allowed', ask: 'asks', deny: 'denied', passthrough: 'with others' };

/** @param {any} rules the explanation of the call by the rules of today */
export function parts(rules) {
  const all = rules?.parts ?? [];
  if (all.length === 0) return null;
  return el('section', { 'aria-label': 'Commands and their verdicts' }, el('h3', {}, 'Commands in it, and what the rules say'), el('ol', { class: 'parts', 'data-untrusted': true }, all.map(part)));
}

function part(p) {
  return el('li', { class: p.decided ? 'decided' : '' },
    el('span', { class: 'verdict', 'data-verdict': p.outcome }, words[p.outcome] ?? p.outcome),
    el('code', { class: 'exact' }, visible(p.text, { line: true })),
    el('span', { class: 'why' }, p.decided ? 'decides: ' : '', visible(p.why, { line: true }), p.via?.length ? ` (run by ${p.via.length > 1 ? 'several' : 'another command'})` : ''));
}

/** Where a rule is written: file and line. */
export function ruleSource(source) {
  if (!source?.file) return source?.source ?? '';
  return source.line ? `${source.file}:${source.line}` : source.file;
}
