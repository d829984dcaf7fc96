// What has happened to a call, step by step, in words that go with who did it.

import { stateWord } from './sentence.js';

const words = {
  pending: 'waits again, by ', running: 'begun by ', done: 'it ran, says ', failed: 'it failed, says ', refused: 'the agent was told no, by ', unknown: 'nobody knows whether it ran, says ',
};

/** The words before the name. @param {{from?: string, to: string}} step */
export function stepWords({ from, to }) {
  if (to === 'pending' && !from) return 'asked by ';
  return words[to] ?? `${stateWord(to)} by `;
}

/**
 * Why a call did not run to which somebody has said yes; null when that is not so.
 * @param {import('./state.js').Detail} detail
 */
export function whyNotRun({ answer, state, history }) {
  if (answer?.decision !== 'allow' || !['denied', 'refused'].includes(state)) return null;
  const last = history?.at(-1);
  return last?.to === state ? String(last.note ?? '').replace(/^Not run: /, '') : '';
}

/**
 * When a call was begun that waits again, and who has said that it did not run; null when none has.
 * @param {import('./state.js').Detail} detail
 */
export function begunBefore({ state, history = [] }) {
  const said = state === 'pending' ? history.findLast(({ from, to }) => from === 'unknown' && to === 'pending') : null;
  if (!said) return null;
  return { at: history.findLast(({ to }) => to === 'running')?.at, who: said.who, note: said.note };
}
