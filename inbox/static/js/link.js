// A link of a notification. It opens a call and decides nothing; the answer that is given to that
// call carries it, and uses it up.

import * as api from './api.js';
import { Failure } from './api.js';
import { el } from './dom.js';
import { set, state } from './state.js';
import { visible } from './visible.js';
import { answers } from './who.js';

/** The link in an address; empty when it has none. @param {string} hash */
export function linkIn(hash) {
  return /^#\/confirm\/(.+)$/.exec(hash)?.[1] ?? '';
}

/** A link is being opened, or could not be: nothing else comes up by itself. */
export function linkStands() {
  return state.link !== null && state.link.ticket === '';
}

/**
 * @param {string} text
 * @param {(id: string) => void} show
 */
export async function openLink(text, show) {
  set({ link: { text, ticket: '', used: false, problem: null } });
  try {
    const { ticket, used } = await api.link(text);
    if (state.link?.text !== text) return;
    set({ link: { text: used ? '' : text, ticket, used, problem: null } });
    show(ticket);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (state.link?.text !== text || error.code === 'refused') return; // it is opened after the sign-in
    const again = ['offline', 'internal', 'busy'].includes(error.code);
    set({ link: { text, ticket: '', used: false, problem: { message: error.message, gone: !again } } });
  }
}

/** What goes with the answer to a call. @param {string} id */
export function withLink(id) {
  return state.link?.text && state.link.ticket === id ? { link: state.link.text } : {};
}

/** It was used up, or is worth nothing: the next answer to its call goes without it. @param {string} id */
export function dropLink(id) {
  if (state.link?.ticket === id) set({ link: { ...state.link, text: '' } });
}

/** The line at the call. @param {import('./state.js').Detail} detail */
export function fromLink(detail) {
  if (state.link?.ticket !== detail.id) return null;
  const used = state.link.used ? ' An answer was given with this link already, and it is good for no other.' : '';
  const now = detail.state !== 'pending' ? ' The call does not wait for an answer any more.' : answers() ? ` Nothing is decided yet: read the call, then answer below${used ? ' without it' : ''}.` : ' Nothing is decided yet.';
  return el('p', { class: 'muted from-link' }, el('b', {}, 'From the notification.'), used, now);
}

/**
 * What stands in the place of a call.
 * @param {object} ways
 * @param {() => void} ways.list
 * @param {() => void} ways.again
 */
export function linkTrouble({ list, again }) {
  const problem = state.link?.problem;
  if (!problem) return el('div', { class: 'empty' }, el('p', {}, 'Opening the link of the notification…'), el('p', {}, 'It decides nothing by itself.'));
  return el('div', { class: 'call' },
    el('div', { class: 'notice bad', role: 'alert' }, el('b', {}, problem.gone ? 'This link leads nowhere any more.' : 'The link cannot be opened now.'), visible(problem.message)),
    problem.gone ? el('p', {}, 'A link of a notification is good for one answer, and only as long as its call waits. If the call still waits, it is in the list; what became of it is in the history.') : null,
    el('p', {}, problem.gone ? null : el('button', { type: 'button', on: { click: again } }, 'Try again'), ' ', el('button', { type: 'button', on: { click: list } }, 'Show what waits')));
}
