// What waits. The order is that in which it was loaded: what comes later is counted on a
// button, and what is answered stays where it is, until the person asks for the new list.

import * as api from './api.js';
import { Failure } from './api.js';
import { byId, el, plural } from './dom.js';
import { pastMoved } from './history.js';
import { List } from './list.js';
import { mayJoin } from './row.js';
import { set, state, waits } from './state.js';
import { visible } from './visible.js';

/** @type {List} */
let list;

/** @param {(id: string) => void} open */
export function startQueue(open) {
  list = new List('Calls that wait', { open, choose: toggleChosen });
  byId('fresh').addEventListener('click', () => loadQueue());
}

/** @returns {Promise<number>} the serial of the list, from which the changes go on */
export async function loadQueue() {
  try {
    const page = await api.tickets();
    const ids = new Set(page.tickets.map((item) => item.id));
    set({
      items: page.tickets, next: page.next, counts: page.counts ?? {}, damaged: page.damaged ?? [], crowds: page.crowds ?? [], list: 'ready', listProblem: '',
      fresh: new Set(), chosen: new Set([...state.chosen].filter((id) => ids.has(id))),
    });
    return page.serial ?? 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    set({ list: 'failed', listProblem: error.message });
    return -1;
  }
}

/** @returns {Promise<boolean>} whether there was more */
export async function loadMore() {
  if (state.next === '') return false;
  try {
    const page = await api.tickets(state.next);
    const known = new Set(state.items.map((item) => item.id));
    const more = page.tickets.filter((item) => !known.has(item.id));
    for (const item of more) state.fresh.delete(item.id);
    set({ items: [...state.items, ...more], next: page.next, crowds: joined(state.crowds, page.crowds ?? []), fresh: state.fresh, listProblem: '' });
    if (more.length > 0) list.reveal(more[0].id, true);
    return more.length > 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    set({ listProblem: error.message });
    return false;
  }
}

/** A session is named on the page of the list on which it becomes too much. */
function joined(before, now) {
  return [...before.filter((crowd) => !now.some(({ session }) => session === crowd.session)), ...now];
}

/** Takes over what is now known about a call. */
export function replaceItem(item) {
  pastMoved(item.id, pick(item));
  set({ items: state.items.map((old) => (old.id === item.id ? { ...old, ...pick(item) } : old)) });
  dropChosen();
}

function pick(item) {
  const { state: now, risk, digest, answer, sentence, edited_sentence } = item;
  return { state: now, ...(sentence && { edited_sentence }), ...(risk && { risk }), ...(digest && { digest }), ...(answer && { answer }) };
}

function dropChosen() {
  const joins = new Set(state.items.filter(mayJoin).map((item) => item.id));
  const chosen = new Set([...state.chosen].filter((id) => joins.has(id)));
  if (chosen.size !== state.chosen.size) set({ chosen });
}

/** @param {{ticket: string, from: string, to: string}} change of the stream */
export function queueMoved({ ticket, from, to }) {
  const counts = { ...state.counts };
  if (from) counts[from] = Math.max(0, (counts[from] ?? 0) - 1);
  counts[to] = (counts[to] ?? 0) + 1;
  set({ counts });
  pastMoved(ticket, { state: to });
  if (state.items.some((item) => item.id === ticket)) return replaceItem({ id: ticket, state: to });
  const fresh = new Set(state.fresh);
  if (waits({ state: to })) fresh.add(ticket);
  else fresh.delete(ticket);
  if (fresh.size > 0 && state.items.length === 0) return void loadQueue(); // nothing can move
  set({ fresh });
}

/** Chooses a call for a common answer, or not any more. */
export function toggleChosen(id) {
  const item = state.items.find((one) => one.id === id);
  const chosen = new Set(state.chosen);
  if (chosen.has(id)) chosen.delete(id);
  else if (item && mayJoin(item)) chosen.add(id);
  set({ chosen });
}

export function drawQueue() {
  const waiting = (state.counts.pending ?? 0) + (state.counts.unknown ?? 0);
  byId('waiting-count').textContent = state.list === 'ready' ? String(waiting) : '';
  drawTitle(waiting);
  drawFresh();
  if (state.view !== 'waiting') return;
  list.show(state.items);
  const { before, after } = surroundings();
  list.placeIn(byId('list'), before, after);
}

function drawTitle(waiting) {
  document.title = waiting > 0 ? `(${waiting}) assent inbox` : 'assent inbox';
}

/** A page that nobody looks at follows no changes; its title says how much waits all the same. */
export async function countUnseen() {
  if (document.visibilityState !== 'hidden' || state.connection === 'refused') return;
  try {
    const { counts } = await api.tickets('', 1);
    if (document.visibilityState === 'hidden') drawTitle((counts.pending ?? 0) + (counts.unknown ?? 0));
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // it is tried again
  }
}

function drawFresh() {
  const over = state.items.filter((item) => !waits(item)).length;
  const words = [state.fresh.size > 0 ? `${state.fresh.size} new` : '', over > 0 ? `${over} answered` : ''].filter(Boolean);
  const button = byId('fresh');
  button.hidden = words.length === 0 || state.view !== 'waiting';
  button.textContent = words.join(', ');
  button.setAttribute('aria-label', `Load the list again: ${words.join(', ')}`);
}

/** What stands before and after the rows. */
function surroundings() {
  if (state.list === 'loading') return { before: [el('p', { class: 'muted' }, 'Loading what waits…'), el('p', { class: 'muted' }, 'If this takes long, the server is busy or cannot be reached. The page keeps trying.')], after: [] };
  const problem = state.listProblem ? [el('div', { class: 'note' }, el('p', { class: 'notice bad' }, el('b', {}, 'The list cannot be loaded.'), visible(state.listProblem))), more('Try again', () => loadQueue()), el('p', { class: 'muted' }, 'Until then, answer in a terminal on the machine of the server: ', el('code', {}, 'assent inbox'))] : [];
  if (state.items.length === 0) return { before: [...damages(), ...problem, ...(problem.length === 0 ? [empty()] : [])], after: [] };
  return { before: damages(), after: [...crowds(), ...problem, ...(state.next ? [more('Show more', loadMore)] : [])] };
}

function more(words, action) {
  return el('button', { type: 'button', class: 'more', on: { click: action } }, words);
}

function empty() {
  const c = state.counts;
  const done = [[c.done, 'ran'], [c.failed, 'failed'], [c.handed, 'handed over'], [(c.denied ?? 0) + (c.refused ?? 0), 'denied'], [c.expired, 'expired']].filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return el('div', { class: 'empty' }, el('h2', {}, 'Nothing waits for you.'), done.length > 0 ? el('p', { class: 'number' }, `So far: ${done.join(', ')}.`) : null, el('p', {}, 'This page stays up to date by itself.'));
}

function damages() {
  if (state.damaged.length === 0) return [];
  return [el('div', { class: 'note' }, el('p', { class: 'notice bad' }, el('b', {}, `${plural(state.damaged.length, 'ticket')} cannot be relied on.`), ...state.damaged.map((one) => el('span', { class: 'told' }, visible(`${one.id}: ${one.problem} `)))))];
}

/** One session that asks for too much does not hide the others. */
function crowds() {
  return state.crowds.map((crowd) => el('p', { class: 'notice' }, el('b', {}, `${plural(crowd.more, 'more call')} of one session`), 'They are not listed one by one, so that they do not hide the others. Session ', el('code', { class: 'exact' }, visible(crowd.session, { line: true })), '.'));
}

/** Brings the row of a call to the eye. */
export function revealInQueue(id, focus) {
  list.reveal(id, focus);
}
