// The call that is looked at, and its place in the address, so that "back" works on a phone
// and a link can name a call.

import * as api from './api.js';
import { Failure } from './api.js';
import { byId } from './dom.js';
import { takeComments } from './comments.js';
import { closeDialog } from './dialog.js';
import { pastItems, revealInHistory, searchFurther } from './history.js';
import { linkIn, linkStands, openLink } from './link.js';
import { loadMore, replaceItem, revealInQueue } from './queue.js';
import { loadRecord } from './record.js';
import { loadSession } from './session.js';
import { set, state } from './state.js';
import { offerAgain } from './undo.js';
import { stepsOf } from './steps.js';

const narrow = matchMedia('(max-width: 760px)');
// After the page has changed under somebody's fingers, keys answer nothing for so long.
const dead = 400;
// And after the call that somebody looks at has become another one, nothing does, for longer: a
// click is aimed before it is made.
const startled = 600;
let quietUntil = 0;
let changedUntil = 0;
let listAt = 0;

/** Keys may answer: the person has had the time to see what is there. */
export function keysAlive() {
  return performance.now() >= quietUntil;
}

/** What is shown has stood there for long enough to be what the person means. */
export function settled() {
  return performance.now() >= changedUntil;
}

function quiet() {
  quietUntil = performance.now() + dead;
}

/** The call on the page is not what it was. */
function changed() {
  quietUntil = changedUntil = performance.now() + startled;
}

export function listed() {
  return state.view === 'waiting' ? state.items : pastItems();
}

/** On a wide screen something is always looked at. */
export function selectFirst() {
  if (state.selected === '' && !narrow.matches && state.items.length > 0 && !linkStands()) select(state.items[0].id);
}

/**
 * @param {string} id
 * @param {{focus?: boolean, routed?: boolean}} [options] routed: the address says so already
 */
export function select(id, { focus = false, routed = false } = {}) {
  const screen = document.body.dataset;
  if (screen.screen === 'list') listAt = byId('main').scrollTop;
  if (!routed) {
    const address = `#/call/${id}`;
    if (narrow.matches && screen.screen === 'list') history.pushState({ pushed: true }, '', address);
    else history.replaceState(history.state, '', address);
  }
  screen.screen = 'call';
  if (state.selected === id && state.detail) return focusCall(focus);
  quiet();
  closeDialog();
  if (linkStands()) set({ link: null }); // the person has chosen something else
  set({ selected: id, detail: null, detailProblem: null, answerProblem: '', session: null });
  byId('call').scrollTop = 0;
  byId('context').scrollTop = 0;
  focusCall(focus);
  loadDetail();
}

function focusCall(focus) {
  const reveal = state.view === 'waiting' ? revealInQueue : revealInHistory;
  if (!narrow.matches) return reveal(state.selected, focus);
  byId('main').scrollTop = 0;
  byId('call').focus({ preventScroll: true });
}

let loading = false;

/** Moves on by one row, and past the end of what is loaded. */
export async function step(by) {
  const from = state.selected;
  const at = listed().findIndex((item) => item.id === from);
  if (at + by >= listed().length && at >= 0 && !loading) {
    loading = true;
    await (state.view === 'waiting' ? loadMore() : searchFurther());
    loading = false;
    if (state.selected !== from) return;
  }
  const next = listed()[at < 0 ? 0 : at + by];
  if (next) select(next.id, { focus: true });
}

let asked = 0;

/** Reads the call that is looked at. Quietly means that what is shown stays meanwhile. */
export async function loadDetail({ quiet: quietly = false } = {}) {
  const id = state.selected;
  if (!id) return;
  asked++;
  const turn = asked;
  if (!quietly) set({ detail: null, detailProblem: null });
  try {
    const detail = await api.ticket(id);
    if (turn !== asked || state.selected !== id) return;
    const before = state.detail;
    const same = before && standing(before) === standing(detail);
    if (quietly && same) return takeComments(detail); // a form that is being filled in stays
    if (!same && before?.id === id) changed();
    else if (!same) quiet();
    set({ detail, detailProblem: null });
    replaceItem(detail);
    offerAgain(detail);
    loadSession();
    loadRecord();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (turn !== asked || quietly && error.code === 'offline') return;
    set({ detail: null, detailProblem: { message: error.message, missing: error.code === 'not_found' } });
  }
}

/** All that makes a call another one for whoever looks at it, to be compared. @param {import('./state.js').Detail} detail */
function standing({ digest, change, state: now, problem, guard, rule, places, risk, confirm, terms, votes = [], may_answer: may, may_not_why: why, history }) {
  const said = votes.map(({ by, at, digest: of, same }) => [by, at, of, same]);
  return JSON.stringify([digest, change?.digest, now, problem, guard, rule?.state, String(places), risk, confirm?.word, terms, said, may, why, stepsOf(history).length]);
}

/** Back to the list, on a phone. */
export function back() {
  if (history.state?.pushed) history.back();
  else {
    history.replaceState(null, '', location.pathname);
    route();
  }
}

/** Opens the call to which the link of a notification leads. @param {string} link */
function followLink(link) {
  document.body.dataset.screen = 'call';
  closeDialog();
  set({ selected: '', detail: null, detailProblem: null, answerProblem: '', session: null });
  openLink(link, (id) => {
    history.replaceState(null, '', `#/call/${id}`); // who loads the page again sees the call
    select(id, { routed: true });
  });
}

/** The link leads nowhere: on to what waits. */
export function leaveLink() {
  set({ link: null });
  history.replaceState(null, '', location.pathname + location.search);
  route();
  selectFirst();
}

/** Shows what the address says. */
export function route() {
  const id = /^#\/call\/([a-z0-9]{12})$/.exec(location.hash)?.[1];
  if (id) return select(id, { routed: true });
  const link = linkIn(location.hash);
  if (link) return followLink(link);
  document.body.dataset.screen = 'list';
  byId('main').scrollTop = listAt;
  if (narrow.matches && state.selected) {
    closeDialog(); // what was typed in it is kept
    const reveal = state.view === 'waiting' ? revealInQueue : revealInHistory;
    reveal(state.selected, true);
    set({ selected: '', detail: null, detailProblem: null, session: null });
  }
}
