// The session of a call, to watch what becomes of an answer.

import * as api from './api.js';
import { command } from './copy.js';
import { el } from './dom.js';
import { set, state } from './state.js';
import { time } from './time.js';
import { exact, told, untrusted } from './untrusted.js';
import { visible } from './visible.js';

let asked = 0;

/** Reads the session of the call that is looked at, once it goes on. */
export async function loadSession() {
  const detail = state.detail;
  if (!detail || detail.state === 'pending' || detail.asker || !detail.session) {
    if (state.session !== null) set({ session: null }); // what is not changed is not drawn anew
    return;
  }
  asked++;
  const turn = asked;
  try {
    const session = await api.session(detail.session);
    if (turn !== asked || state.detail?.session !== detail.session) return;
    set({ session });
    drawWhenLate(detail);
  } catch {
    // The stream says when there is more, and the bar when the server is gone.
  }
}

/** @param {any} data of an event of the stream */
export function sessionMoved(data) {
  if (state.detail && data.session === state.detail.session) loadSession();
}

// After how long a worker that is there would have taken a session up.
const usual = 30_000;
let late = 0;

/** How long it is until a session that waits for a worker is late, in milliseconds. @param {import('./state.js').Detail} detail */
function untilLate({ answer }) {
  return answer ? Date.parse(answer.at) + usual - Date.now() : 0;
}

/** Nothing is told by the server when nobody comes, so the page looks at its clock. @param {import('./state.js').Detail} detail */
function drawWhenLate(detail) {
  clearTimeout(late);
  if (untilLate(detail) > 0) late = window.setTimeout(() => state.session && set({ session: { ...state.session } }), untilLate(detail));
}

/** Where a session goes on that wants a certain worker; null where any will do. @param {string[]} [labels] */
export function workerWords(labels = []) {
  return labels.length > 0 ? visible(`where there is ${labels.join(', ')}`, { line: true }) : null;
}

const words = { model: 'agent', tool: 'tool', person: 'person' };

export function turns(list) {
  return list.map((turn) => el('div', { class: 'turn' },
    el('span', { class: 'who' }, words[turn.who] ?? 'agent', turn.tool ? ' · ' : '', turn.tool ? visible(turn.tool, { line: true }) : '', turn.at ? ' · ' : '', turn.at ? time(turn.at, 'at') : ''),
    turn.who === 'tool' || turn.tool ? exact(turn.text) : told(turn.text)));
}

/** What happens after the answer. */
export function progress() {
  const session = state.session;
  if (!session) return null;
  return el('section', { 'aria-label': 'The session since the answer', class: 'call' },
    standing(session),
    session.problem && state.detail?.state !== 'unknown' ? el('p', { class: 'notice bad' }, el('b', {}, 'It does not go on.'), visible(session.problem)) : null,
    session.result ? untrusted('The result', told(session.result)) : null,
    session.turns?.length ? untrusted('What the session did last', ...turns(session.turns)) : null);
}

function standing(session) {
  if (state.detail?.state === 'unknown') return null; // it waits for what is said above
  const said = (kind, title, more) => el('p', { class: `notice ${kind}` }, el('b', {}, title), more);
  if (session.running) return said('', 'The session is running', 'This page follows it by itself.');
  if (['approved', 'denied'].includes(state.detail?.state) && waitsForWorker(session)) return said('', 'No worker has taken it up yet', workerWords(session.labels) ? el('span', {}, 'It goes on ', workerWords(session.labels), ': a worker must have been started with that.') : 'It goes on as soon as one does.');
  if (['approved', 'denied'].includes(state.detail?.state) && session.rests) return said('', 'The session goes on when somebody resumes it', el('div', {}, 'This server does not let sessions go on. In a terminal: ', command(`assent -p --resume ${session.session}`)));
  if (['approved', 'denied'].includes(state.detail?.state)) return said('', 'The session goes on in a moment', 'It waits as long as the answer can be taken back.');
  if (session.state === 'waits') return said('', 'The session waits for another answer', 'Look at the list.');
  if (session.state === 'done') return said(state.detail?.state === 'done' ? 'good' : '', 'The session is done', session.result ? 'Its result is below.' : '');
  return said('', `The session is ${session.state}`, 'Nothing runs now.');
}

/** The answer is there for a while, and nobody has gone on. @param {{labels?: string[]}} session */
function waitsForWorker({ labels = [] }) {
  const detail = state.detail;
  return Boolean(detail) && (labels.length > 0 || detail?.consequences?.where === 'worker') && untilLate(/** @type {import('./state.js').Detail} */ (detail)) <= 0;
}
