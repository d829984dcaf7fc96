// What people wrote about a call, for each other. The agent is not told. The field stays as it is
// whatever else the page draws anew.

import * as api from './api.js';
import { Failure } from './api.js';
import { announce, byId, el, newId } from './dom.js';
import { draft, keepDraft } from './drafts.js';
import { state } from './state.js';
import { isComment } from './steps.js';
import { time } from './time.js';
import { told } from './untrusted.js';
import { escaped, visible } from './visible.js';
import { isMe } from './who.js';

const id = newId();
const list = el('ol', { class: 'comments' });
const problem = el('p', { class: 'notice bad', role: 'alert', hidden: true });
const text = el('textarea', { id, rows: '2', maxlength: '10000', on: { input: () => keepDraft(place(shown), 'comment', text.value), keydown: sends } });
const none = el('p', { class: 'muted' }, 'Nobody has written anything yet.');
let shown = '';
let busy = false;

/** Where what is typed is kept: an answer to the call does not throw it away. */
function place(ticket) {
  return `comment ${ticket}`;
}

/** The comments among what has happened to a call. @param {import('./state.js').Detail|null} detail */
export function commentsOf(detail) {
  return (detail?.history ?? []).filter(isComment);
}

export function startComments() {
  byId('comments').append(
    el('h3', {}, 'Comments'),
    none,
    el('figure', { class: 'by-people' }, el('figcaption', {}, el('span', {}, 'What people wrote'), el('span', {}, 'not checked by assent')), list),
    el('form', { class: 'field', on: { submit: (event) => { event.preventDefault(); send(); } } },
      el('label', { for: id }, 'Comment, for the others who answer'), text, problem, el('div', {}, el('button', { type: 'submit' }, 'Comment'))));
}

export function drawComments() {
  const detail = state.detail;
  byId('comments').hidden = !detail;
  if (!detail) return;
  if (shown !== detail.id) {
    shown = detail.id;
    text.value = '';
    problem.hidden = true;
  }
  if (text.value === '') text.value = draft(place(shown), 'comment') ?? '';
  const all = commentsOf(detail);
  list.replaceChildren(...all.map(one));
  none.hidden = all.length > 0;
  list.parentNode.hidden = !none.hidden;
}

function one({ who, at, note }) {
  return el('li', {}, el('p', { class: 'who' }, el('b', { class: 'name' }, visible(who, { line: true })), ' · ', at ? time(at, 'at') : ''), told(note));
}

/** @param {KeyboardEvent} event */
function sends(event) {
  if (event.key !== 'Enter' || !event.ctrlKey && !event.metaKey || event.repeat) return;
  event.preventDefault();
  send();
}

async function send() {
  const [ticket, words] = [shown, text.value.trim()];
  if (busy || words === '') return text.focus();
  if (state.connection !== 'live') return fail('The connection to the server is lost. Nothing was sent.');
  busy = true;
  problem.hidden = true;
  try {
    const detail = await api.comment(ticket, words);
    keepDraft(place(ticket), 'comment', '');
    if (shown === ticket) text.value = '';
    if (state.detail?.id === ticket) takeComments(detail);
    announce('Your comment is there.');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (shown === ticket) fail(error.code === 'offline' ? 'The server has not answered. Look whether your comment is there before you send it again.' : error.message);
  } finally {
    busy = false;
  }
}

function fail(message) {
  problem.replaceChildren(visible(message));
  problem.hidden = false;
}

/** Takes over the comments and nothing else: what is looked at stays as it is. @param {import('./state.js').Detail} detail */
export function takeComments(detail) {
  if (!state.detail) return;
  const before = commentsOf(state.detail).length;
  const now = commentsOf(detail);
  if (now.length === before) return;
  state.detail.history = [...state.detail.history.filter((step) => !isComment(step)), ...now];
  drawComments();
  const last = now.at(-1);
  if (now.length > before && last && !isMe(last.who)) announce(escaped(`${last.who} has commented on this call.`));
}
