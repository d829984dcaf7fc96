// Joins the parts of the page.

import * as api from './api.js';
import { answerable, undo } from './answer.js';
import { startApprove } from './approve.js';
import { drawBar, startBar } from './bar.js';
import { openBatch } from './batch.js';
import { drawCall } from './call.js';
import { drawConnection, drawGate, nameOf } from './connection.js';
import { drawContext } from './context.js';
import { openDeny, openResolve } from './deny.js';
import { closeDialog, dialogOpen } from './dialog.js';
import { announce, byId } from './dom.js';
import { openEdit } from './edit.js';
import { follow } from './events.js';
import { openHelp } from './help.js';
import { drawHistory, openHistory, startHistory } from './history.js';
import { startKeys } from './keys.js';
import { drawQueue, loadQueue, queueMoved, startQueue, toggleChosen } from './queue.js';
import { openRule } from './rule.js';
import { back, loadDetail, route, select, selectFirst, step } from './select.js';
import { loadSession, sessionMoved } from './session.js';
import { set, state, watch } from './state.js';
import { tick } from './time.js';
import { takeToken, token } from './token.js';
import { takeBack, whenUndone, withdraw } from './undo.js';
import { escaped } from './visible.js';

const actions = {
  approve: startApprove,
  deny: () => answerable() && openDeny(),
  edit: openEdit,
  rule: openRule,
  resolve: openResolve,
  batch: openBatch,
  previous: () => step(-1),
  next: () => step(1),
};

function refuse() {
  set({ connection: 'refused' });
  drawGate();
}

/** @param {any} change of the stream */
function moved(change) {
  queueMoved(change);
  if (!['approved', 'denied'].includes(change.to)) withdraw(change.ticket);
  if (change.ticket !== state.selected || change.to === state.detail?.state) return;
  if (state.answering) return; // it is most likely our own answer, and what follows shows it
  if (dialogOpen() && change.to !== 'pending') {
    closeDialog();
    announce(`This call was answered meanwhile, by ${escaped(change.who)}.`);
  }
  loadDetail({ quiet: true });
}

/** @param {'live'|'lost'|'refused'} to */
function connected(to) {
  if (to === 'refused') return refuse();
  const returned = state.connection === 'lost' && to === 'live';
  if (state.connection !== to) set({ connection: to });
  if (!returned) return;
  announce('The connection is back.');
  loadDetail({ quiet: true });
  loadSession();
}

async function firstList() {
  for (;;) {
    const serial = await loadQueue();
    if (serial >= 0 || state.connection === 'refused') return serial;
    set({ connection: 'lost' });
    await new Promise((done) => setTimeout(done, 2_000));
  }
}

async function start() {
  takeToken();
  startQueue((id) => select(id));
  startHistory((id) => select(id));
  startBar(actions);
  whenUndone(undo);
  api.whenRefused(refuse);
  watch(['connection'], drawConnection);
  watch(['items', 'list', 'listProblem', 'next', 'counts', 'fresh', 'view', 'selected', 'chosen'], drawQueue);
  watch(['view', 'selected'], drawHistory);
  const draw = () => drawCall({ back, again: () => loadDetail(), send: startApprove });
  watch(['detail', 'detailProblem', 'answerProblem', 'selected', 'session'], draw);
  watch(['list', 'view', 'items'], () => state.detail || draw()); // a form that is being filled in stays
  watch(['detail'], () => drawContext({ openRule }));
  watch(['items'], selectFirst);
  watch(['detail', 'connection', 'answering', 'chosen', 'items'], drawBar);
  startKeys(
    { j: actions.next, k: actions.previous, '?': openHelp, '/': () => openHistory({ focus: true }) },
    { a: actions.approve, d: actions.deny, e: actions.edit, r: actions.rule, u: takeBack, x: () => toggleChosen(state.selected), 'Shift+A': openBatch });
  byId('show-help').addEventListener('click', openHelp);
  addEventListener('popstate', route);
  setInterval(tick, 1_000);

  drawBar();
  drawQueue();
  if (token() === '') return refuse();
  route();
  api.me().then((me) => { nameOf(me.name); drawConnection(); }, () => {});
  const serial = await firstList();
  if (state.connection === 'refused') return;
  follow({ after: serial, onOther: loadQueue, onChange: moved, onSession: sessionMoved, onConnection: connected });
}

start();
