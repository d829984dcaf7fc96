// What has happened to a call, step by step, in words that go with who did it.

import { stateWord } from './sentence.js';
import { visible } from './visible.js';

const words = {
  pending: 'waits again, by ', running: 'begun by ', done: 'it ran, says ', failed: 'it failed, says ', handed: 'handed to ', refused: 'the agent was told no, by ', unknown: 'nobody knows whether it ran, says ',
};

// What happens to a call without making it another one.
const kinds = { vote: 'approved, as one of several, by ', withdrawn: 'yes taken back by ', escalated: 'others were told, by ', sent: 'sent at once by ' };

/** The words before the name. @param {{from?: string, to: string, kind?: string}} step */
function stepWords({ from, to, kind = '' }) {
  if (kind) return kinds[kind] ?? `${kind} by `;
  if (to === 'pending' && !from) return 'asked by ';
  return words[to] ?? `${stateWord(to)} by `;
}

/** What has made the call another one. @param {any[]} [history] */
export function changesOf(history = []) {
  return history.filter(({ kind }) => !kind);
}

/** People wrote it. What assent notes beside a call, as that a rule was added, is something that happened. @param {{kind?: string, who: string}} step */
export function isComment({ kind, who }) {
  return kind === 'comment' && !isNote({ kind, who });
}

/** @param {{kind?: string, who: string}} step */
function isNote({ kind, who }) {
  return kind === 'comment' && who === 'assent'; // which is the name of no person
}

/** What has happened to it, without what people wrote. @param {any[]} [history] */
export function stepsOf(history = []) {
  return history.filter((step) => !isComment(step));
}

/** A step in words: what happened, by whom, and what was said. A note is a whole sentence. @param {any} step @param {string} [words] before the name */
export function stepText(step, words = stepWords(step)) {
  if (isNote(step)) return [visible(step.note, { line: true })];
  return [words, visible(step.who, { line: true }), step.note ? ': ' : '', step.note ? visible(step.note, { line: true }) : ''];
}

/**
 * Why a call did not run to which somebody has said yes; null when that is not so.
 * @param {import('./state.js').Detail} detail
 */
export function whyNotRun({ answer, state, history }) {
  if (answer?.decision !== 'allow' || !['denied', 'refused'].includes(state)) return null;
  const last = changesOf(history).at(-1);
  return last?.to === state ? String(last.note ?? '').replace(/^Not run: /, '') : '';
}

/**
 * When a call was begun that waits again, and who has said that it did not run; null when none has.
 * @param {import('./state.js').Detail} detail
 */
export function begunBefore({ state, history }) {
  const changes = changesOf(history);
  const said = state === 'pending' ? changes.findLast(({ from, to }) => from === 'unknown' && to === 'pending') : null;
  if (!said) return null;
  return { at: changes.findLast(({ to }) => to === 'running')?.at, who: said.who, note: said.note };
}
