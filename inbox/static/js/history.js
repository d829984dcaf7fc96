// All calls there have been, with a search.

import * as api from './api.js';
import { Failure } from './api.js';
import { byId, el } from './dom.js';
import { List } from './list.js';
import { set, state } from './state.js';
import { visible } from './visible.js';

const pause = 250;
const past = { /** @type {import('./state.js').Item[]} */ items: [], next: '', problem: '', loading: false };
/** @type {List} */
let list;
let timer = 0;
let asked = 0;

/** @param {(id: string) => void} open */
export function startHistory(open) {
  list = new List('Calls found', { open, choose: null });
  byId('show-waiting').addEventListener('click', () => show('waiting'));
  byId('show-history').addEventListener('click', () => openHistory());
  byId('search').addEventListener('submit', (event) => { event.preventDefault(); search(); });
  byId('search-text').addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(search, pause); });
}

/** @param {'waiting'|'history'} view */
function show(view) {
  document.body.dataset.screen = 'list';
  set({ view });
}

export function openHistory({ focus = false } = {}) {
  show('history');
  if (focus) byId('search-text').select();
  search();
}

async function search() {
  await load(byId('search-text').value.trim(), '');
}

async function load(text, after) {
  asked++;
  const turn = asked;
  Object.assign(past, { loading: true, problem: '' });
  drawHistory();
  try {
    const page = await api.past(text, after);
    if (turn !== asked) return;
    Object.assign(past, { items: after ? [...past.items, ...page.tickets] : page.tickets, next: page.next, loading: false });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (turn === asked) Object.assign(past, { loading: false, problem: error.message });
  }
  drawHistory();
}

/** Takes over what is now known about a call. */
export function pastMoved(id, now) {
  if (!past.items.some((item) => item.id === id)) return;
  past.items = past.items.map((item) => (item.id === id ? { ...item, ...now } : item));
  drawHistory();
}

/** @returns {Promise<boolean>} whether there was more */
export async function searchFurther() {
  if (past.next === '') return false;
  const before = past.items.length;
  await load(byId('search-text').value.trim(), past.next);
  return past.items.length > before;
}

export function pastItems() {
  return past.items;
}

export function drawHistory() {
  const here = state.view === 'history';
  byId('search').hidden = !here;
  byId('queue-title').textContent = here ? 'History' : 'Waiting for an answer';
  const current = { 'show-waiting': !here, 'show-history': here };
  for (const [id, yes] of Object.entries(current)) {
    if (yes) byId(id).setAttribute('aria-current', 'page');
    else byId(id).removeAttribute('aria-current');
  }
  if (!here) return;
  list.show(past.items);
  const { before, after } = surroundings();
  list.placeIn(byId('list'), before, after);
}

function surroundings() {
  const further = past.next ? [el('button', { type: 'button', class: 'more', on: { click: searchFurther } }, past.items.length === 0 ? 'Search further back' : 'Show more')] : [];
  if (past.problem) return { before: [el('div', { class: 'note' }, el('p', { class: 'notice bad' }, el('b', {}, 'The history cannot be searched.'), visible(past.problem)), el('p', { class: 'muted' }, 'Type again to try again. In a terminal: ', el('code', {}, 'assent sessions list')))], after: further };
  if (past.items.length > 0) return { before: [], after: further };
  if (past.loading) return { before: [el('p', { class: 'muted' }, 'Searching…')], after: [] };
  return { before: [el('div', { class: 'empty' }, el('h2', {}, 'Nothing found.'), el('p', {}, 'The search looks at commands, files, directories, sessions, people and reasons.'))], after: further };
}

export function revealInHistory(id, focus) {
  list.reveal(id, focus);
}
