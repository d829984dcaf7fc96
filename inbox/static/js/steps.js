// What has happened to a call, step by step, in words that go with who did it.

import { stateWord } from './sentence.js';

const words = {
  pending: 'waits again, by ', running: 'begun by ', done: 'it ran, says ', failed: 'it failed, says ', refused: 'the agent was told no, by ', unknown: 'nobody knows whether it ran, says ',
};

// What happens to a call without making it another one.
const kinds = { vote: 'approved, as one of several, by ', withdrawn: 'yes taken back by ', escalated: 'others were told, by ' };

/** The words before the name. @param {{from?: string, to: string, kind?: string}} step */
export function stepWords({ from, to, kind = '' }) {
  if (kind) return kinds[kind] ?? `${kind} by `;
  if (to === 'pending' && !from) return 'asked by ';
  return words[to] ?? `${stateWord(to)} by `;
}

/** What has made the call another one. @param {any[]} [history] */
export function changesOf(history = []) {
  return history.filter(({ kind }) => !kind);
}

/** What has happened to it, without what people wrote. @param {any[]} [history] */
export function stepsOf(history = []) {
  return history.filter(({ kind }) => kind !== 'comment');
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
