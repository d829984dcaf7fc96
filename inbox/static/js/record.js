// What is on record about a call: the decisions with their numbers, and whether the record is
// as it was written.

import * as api from './api.js';
import { Failure } from './api.js';
import { command } from './copy.js';
import { el, plural } from './dom.js';
import { set, state } from './state.js';
import { time } from './time.js';
import { visible } from './visible.js';

let asked = 0;

/** Reads what is on record about the call that is looked at. */
export async function loadRecord() {
  const id = state.detail?.id;
  if (!id) return;
  asked++;
  const turn = asked;
  try {
    const record = await api.audit(id);
    if (turn === asked && state.detail?.id === id) set({ record: { id, ...record } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (turn === asked && state.detail?.id === id) set({ record: { id, state: 'unverified', problem: error.message, records: [], of_session: 0 } });
  }
}

/** Fills its place, and nothing else: the rest of the column stays as it is. */
export function drawRecord() {
  const place = document.getElementById('record');
  if (!place) return;
  const record = state.record?.id === state.detail?.id ? state.record : null;
  place.replaceChildren(el('h3', {}, 'On record'), ...(record ? shown(record) : [el('p', { class: 'muted' }, 'Reading the record…')]));
}

function shown(record) {
  if (record.state === 'empty') return [el('p', { class: 'muted' }, 'Nothing is on record here yet.')];
  const { session } = /** @type {any} */ (state.detail);
  return [
    record.records.length > 0 ? el('ol', { class: 'steps' }, ...record.records.map(decision)) : el('p', { class: 'muted' }, 'No decision about this call is on record.'),
    standing(record),
    record.of_session > 0 ? el('details', {}, el('summary', {}, `${plural(record.of_session, 'record')} of this session, in a terminal`), named(session) ? command(`assent audit log --session ${session}`) : null, proof(record)) : null,
  ].filter(Boolean);
}

/** The agent of somebody else names its sessions as it likes: what could mean more to a shell is no part of a command. */
function named(session) {
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(session);
}

const words = { allow: 'allowed', deny: 'denied', defer: 'put to a person', error: 'could not be judged' };

function decision(one) {
  return el('li', { title: one.head }, time(one.at, 'at'), el('span', {}, el('code', {}, `no. ${one.number}`), ` ${words[one.decision] ?? one.decision}`, one.who ? ', answered by ' : '', one.who ? visible(one.who, { line: true }) : ''));
}

function standing(record) {
  if (record.state !== 'verified') return el('p', { class: 'notice bad' }, el('b', {}, 'Not verified'), visible(record.problem ?? 'The record cannot be read.'));
  return el('p', { class: 'verified' }, el('b', {}, 'Verified '), time(record.at, 'at'), el('br'), el('span', { class: 'muted' }, `The record is whole up to no. ${record.last}`));
}

/** The last decision about the call can be proved later, also to others. */
function proof(record) {
  const last = record.records.at(-1);
  return last ? command(`assent audit verify --head ${last.head}`) : null;
}
