// Joins the parts of the page.

import * as api from './api.js';
import { deniable, sendNow, undo, withdraw } from './answer.js';
import { startApprove } from './approve.js';
import { drawBar, startBar } from './bar.js';
import { openBatch } from './batch.js';
import { drawCall } from './call.js';
import { drawComments, startComments } from './comments.js';
import { drawConnection } from './connection.js';
import { drawContext } from './context.js';
import { openDeny, openResolve } from './deny.js';
import { overtake } from './dialog.js';
import { announce, byId } from './dom.js';
import { fetchDrafts } from './drafts.js';
import { openEdit } from './edit.js';
import { follow } from './events.js';
import { drawGate, openGate } from './gate.js';
import { openHelp } from './help.js';
import { drawHistory, openHistory, startHistory } from './history.js';
import { startKeys } from './keys.js';
import { countUnseen, drawQueue, loadQueue, queueMoved, startQueue, toggleChosen } from './queue.js';
import { idle, loadOverview } from './overview.js';
import { drawLooking, presenceAnew, presenceHeard, sayOpen, startPresence, windowName } from './presence.js';
import { drawRecord } from './record.js';
import { openRule } from './rule.js';
import { back, leaveLink, loadDetail, route, select, selectFirst, settled, step } from './select.js';
import { stateWord } from './sentence.js';
import { loadSession, sessionMoved } from './session.js';
import { set, state, watch } from './state.js';
import { tick } from './time.js';
import { takeToken, token } from './token.js';
import { overtaken as undoOvertaken, takeBack, undoAgain, whenUndone } from './undo.js';
import { escaped } from './visible.js';
import { answers, drawMe, loadMe, openMe, whyNot } from './who.js';

const actions = {
  approve: () => settled() && startApprove(),
  deny: () => deniable() && openDeny(),
  edit: openEdit,
  rule: openRule,
  resolve: openResolve,
  batch: openBatch,
  previous: () => step(-1),
  next: () => step(1),
};

const approves = () => whyNot() === '';

/** A key says why nothing comes of it, as what stands in place of its button does. @param {() => boolean} may @param {() => void} action */
function key(may, action) {
  return () => (may() ? action() : announce(escaped(whyNot())));
}

// The time for which somebody is signed in.
let visit = new AbortController();

/** The server does not know whoever looks at the page, or not any more. @param {boolean} unproved or it is another program that answers */
function refuse(unproved) {
  visit.abort();
  set({ connection: 'refused' });
  drawGate(enter, unproved);
}

/** Somebody has signed in. Whoever was there before goes on; what they have typed is nothing to anybody else. @param {string} name */
function enter(name) {
  if (state.list === 'ready' && state.me?.name !== name) return location.reload();
  openGate();
  set({ connection: 'connecting' });
  begin();
}

/** @param {any} change of the stream */
function moved(change) {
  if (change.kind) return said(change);
  queueMoved(change);
  loadOverview();
  if (!['approved', 'denied'].includes(change.to)) undoOvertaken(change.ticket, change.to);
  if (change.ticket !== state.selected || change.to === state.detail?.state) return;
  if (state.answering) return; // it is most likely our own answer, and what follows shows it
  overtake({ id: change.ticket, state: change.to }, overtaken(change.to, change.who));
  loadDetail({ quiet: true });
}

/** Somebody has said something about a call that waits on: a yes of several, a comment. @param {any} change of the stream */
function said({ ticket }) {
  if (ticket === state.selected && !state.answering) loadDetail({ quiet: true });
}

/** The guard that holds the call on the page has given up, or waits again. @param {any} data of the stream */
function guardMoved({ session }) {
  if (state.detail?.asker && state.detail.session === session && !state.answering) loadDetail({ quiet: true });
}

/** It is known what has become of the rule that came with an answer. */
function ruleMoved({ ticket }) {
  if (ticket === state.selected && !state.answering) loadDetail({ quiet: true });
}

/** What is said to somebody who is about to answer a call that has changed meanwhile. */
function overtaken(to, who) {
  if (to === 'expired') return 'The time of this call is over, so it cannot be answered any more. What you typed stays here until you close this.';
  if (to === 'running' || to === 'handed') return 'It has begun, so nobody can deny it any more. Nothing can be sent from here; what you typed stays here until you close this.';
  return `Somebody was faster: ${stateWord(to)} meanwhile${who ? ` by ${who}` : ''}. Nothing can be sent from here any more; what you typed stays here until you close this.`;
}

/** The call on the page may have become another one without a word of the stream. */
function compareDialog() {
  const detail = state.detail;
  if (detail) overtake(detail, overtaken(detail.state, detail.answer?.by));
  else if (state.detailProblem?.missing) overtake({ id: state.selected, state: '' }, 'There is no such call any more. What you typed stays here until you close this.');
}

let followed = false;

/** @param {'connecting'|'live'|'lost'|'refused'|'unproved'} to */
function connected(to) {
  if (to === 'refused' || to === 'unproved') return refuse(to === 'unproved');
  const returned = followed && state.connection !== 'live' && to === 'live';
  if (returned && state.connection === 'lost') announce('The connection is back.');
  if (state.connection !== to) set({ connection: to });
  if (to !== 'live') return;
  followed = true;
  presenceAnew();
  if (!returned) return;
  loadMe();
  undoAgain();
  loadOverview();
  loadDetail({ quiet: true });
  loadSession();
}

/** @param {AbortSignal} signal that the sign-in has ended */
async function firstList(signal) {
  for (;;) {
    const serial = await loadQueue();
    if (serial >= 0 || signal.aborted) return serial;
    set({ connection: 'lost' });
    await new Promise((done) => setTimeout(done, 2_000));
  }
}

async function start() {
  takeToken();
  startQueue((id) => select(id));
  startComments();
  startHistory((id) => select(id));
  startBar(actions);
  whenUndone(undo, sendNow);
  api.whenRefused(refuse);
  watch(['connection', 'me'], drawConnection);
  watch(['connection', 'me'], drawMe);
  watch(['items', 'list', 'listProblem', 'next', 'counts', 'fresh', 'view', 'selected', 'chosen', 'looking', 'me'], drawQueue);
  watch(['view', 'selected'], drawHistory);
  const draw = () => drawCall({ back, again: () => loadDetail(), send: actions.approve, withdraw, route, leaveLink, open: (id) => select(id) });
  watch(['detail', 'detailProblem', 'answerProblem', 'selected', 'session', 'me', 'link'], draw);
  watch(['list', 'view', 'items', 'overview', 'place'], () => state.detail || draw()); // a form that is being filled in stays
  watch(['list', 'view', 'items', 'selected'], () => { document.body.dataset.idle = idle() ? 'yes' : 'no'; });
  watch(['list', 'view', 'selected'], loadOverview);
  watch(['detail', 'me'], () => drawContext({ openRule }));
  watch(['detail'], drawComments);
  watch(['detail', 'record', 'me'], drawRecord);
  watch(['detail', 'answerProblem', 'session', 'looking', 'me', 'link'], drawLooking);
  watch(['detail'], sayOpen);
  watch(['detail', 'detailProblem'], compareDialog);
  watch(['items'], selectFirst);
  watch(['detail', 'connection', 'answering', 'chosen', 'items', 'me'], drawBar);
  startKeys(
    { j: actions.next, k: actions.previous, '?': openHelp, '/': () => openHistory({ focus: true }) },
    { a: key(approves, actions.approve), d: key(answers, actions.deny), e: key(approves, actions.edit), r: key(approves, actions.rule), u: takeBack, x: key(answers, () => toggleChosen(state.selected)), 'Shift+A': key(answers, openBatch) });
  startPresence();
  byId('show-help').addEventListener('click', openHelp);
  byId('show-me').addEventListener('click', openMe);
  addEventListener('popstate', () => {
    if (takeToken()) location.reload(); // the link of a server that was started anew
    else route();
  });
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault(); // the address names the call
    byId('call').focus();
  });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && state.detail?.change && loadDetail({ quiet: true })); // its file may be another one by now
  addEventListener('focus', () => state.detail?.change && loadDetail({ quiet: true }));
  setInterval(tick, 1_000);
  setInterval(countUnseen, 30_000);

  drawBar();
  drawQueue();
  if (token() === '') return refuse(false);
  begin();
}

/** Shows the inbox to whoever the server knows, for as long as it does. */
async function begin() {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  route();
  loadMe().then(() => {
    fetchDrafts(state.me?.name ?? '');
    drawComments();
  });
  const serial = await firstList(signal);
  if (signal.aborted) return;
  follow({ signal, after: serial, window: windowName, onOther: loadQueue, onChange: moved, onSession: (data) => { sessionMoved(data); guardMoved(data); loadOverview(); }, onRule: ruleMoved, onPresence: presenceHeard, onConnection: connected });
}

start();
