// The guard of another agent, which holds a call. It waits for the answer only for a while;
// then its agent is told no for now, and gets the answer when it tries the call again.

import { el } from './dom.js';
import { time } from './time.js';
import { visible } from './visible.js';

/** @param {import('./state.js').Detail} detail */
export function guardFact({ asker, guard, guard_ms: left, state }) {
  if (!asker) return null;
  return el('span', {}, 'held by the guard of ', visible(asker, { line: true }), guard === 'waits' && state === 'pending' ? ', which waits' : '', left && state === 'pending' ? [guard === 'waits' ? ' ' : ', which may wait ', time(new Date(Date.now() + left).toISOString(), 'left')] : null);
}

/** What becomes of an answer, where that is not at once. @param {import('./state.js').Detail} detail */
export function guardNotice({ asker, guard, state, expires }) {
  const answered = state === 'approved' || state === 'denied';
  if (!asker || state !== 'pending' && !answered) return null;
  const until = expires ? [', until ', time(expires, 'at')] : [];
  if (guard === 'gone') {
    return el('p', { class: 'notice' }, el('b', {}, 'Its agent has stopped waiting.'), answered ? '' : 'If you approve, ', visible(asker, { line: true }), ' gets the answer when it tries this call again', ...until, '.', state === 'approved' ? ' Nothing runs before.' : '');
  }
  if (guard !== 'unknown') return null;
  return el('p', { class: answered ? 'notice' : 'muted' }, visible(asker, { line: true }), ' gets the answer at once if its guard still waits, or else when it tries this call again', ...until, '.');
}
