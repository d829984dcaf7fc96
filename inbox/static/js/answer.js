// Answers. Each carries the digest of what the person was shown, and a yes the files to which it
// leads, so nobody approves what he has not seen; one is on its way at a time, and none while the connection is lost.

import * as api from './api.js';
import { Failure } from './api.js';
import { announce, plural } from './dom.js';
import { closeDialog } from './dialog.js';
import { dropDrafts } from './drafts.js';
import { dropLink, withLink } from './link.js';
import { replaceItem } from './queue.js';
import { loadDetail } from './select.js';
import { loadSession } from './session.js';
import { set, state } from './state.js';
import { approveLabel } from './terms.js';
import { offerUndo } from './undo.js';
import { escaped } from './visible.js';
import { answers, mayApprove } from './who.js';

/** The call on the page can be answered now. */
export function answerable() {
  return state.connection === 'live' && !state.answering && state.detail?.state === 'pending' && answers();
}

/** The call on the page can be kept from running now, also after a yes as long as nobody has begun. */
export function deniable() {
  return state.connection === 'live' && !state.answering && Boolean(state.detail?.deniable) && answers();
}

/** The call on the page can be let through now. */
export function approvable() {
  return answerable() && mayApprove() && !state.detail?.problem;
}

/**
 * Sends an answer, and shows what has become of the call.
 * @param {() => Promise<any>} send
 * @param {{fail: (message: string) => void, end: (message: string) => void}} [dialog] where a failure is told
 * @returns {Promise<any>} the call after it, or null
 */
async function give(send, dialog) {
  if (state.answering) return null;
  if (state.connection !== 'live') {
    dialog?.fail('The connection to the server is lost. Nothing was sent.');
    return null;
  }
  set({ answering: true, answerProblem: '' });
  try {
    const detail = await send();
    set({ answering: false });
    arrived(detail);
    return detail;
  } catch (error) {
    set({ answering: false });
    await failed(error, dialog);
    return null;
  }
}

/** The server has taken an answer, or an undo. */
function arrived(detail) {
  closeDialog();
  dropDrafts(detail.id);
  replaceItem(detail);
  if (state.selected === detail.id) show(detail);
  loadSession();
}

/** Shows a call after an answer. Somebody may have done more with it meanwhile. */
function show(detail) {
  set({ detail });
  loadDetail({ quiet: true });
}

const gone = 'Nothing was sent: the page does not show this call any more. Close this, and open the call again.';

// These say that the call is not what the page shows.
const stale = ['answered', 'expired', 'changed', 'not_found'];

async function failed(error, dialog) {
  if (!(error instanceof Failure)) throw error;
  let message = error.message;
  if (error.code === 'gone') {
    dropLink(state.selected);
    message += ' Nothing was sent with it. If the call still waits you can answer it without the link: do it again.';
  }
  if (error.code === 'offline') message = 'The server has not answered, so nobody knows whether it took the answer. Look at the state of the call before you answer again.';
  announce(escaped(message));
  if (stale.includes(error.code)) dialog?.end(message);
  else dialog?.fail(message);
  if (stale.includes(error.code) || error.code === 'offline') await loadDetail({ quiet: true }); // look again
  else if (dialog) return;
  set({ answerProblem: message });
}

/**
 * @param {Record<string, any>} [more] reason, confirm, rule, answers, and the places of another input
 * @param {{input?: string, dialog?: any, shown?: import('./state.js').Detail|null}} [options] shown is the call as
 *   a dialog shows it: the page may know more by now, which nobody has read there
 */
export async function approve(more = {}, { input, dialog, shown = state.detail } = {}) {
  if (!shown || shown.state !== 'pending') return dialog?.fail(gone);
  const detail = await give(() => api.approve(shown.id, { digest: shown.digest, places: shown.places, ...(shown.change?.digest && { change: shown.change.digest }), undo: true, ...withLink(shown.id), ...more }, input), dialog);
  if (!detail) return;
  dropLink(detail.id);
  if (detail.state === 'pending') { // it was one yes of several
    announce('Your yes is kept. The call waits until more people have approved it.');
    return offerUndo(detail, approveLabel(detail).replace('Approve', 'Approved'));
  }
  const word = detail.edited_sentence ? 'Approved as edited' : 'Approved';
  announce(`${word}. ${takenBackFor(detail)}`);
  offerUndo(detail, word);
}

export async function deny(reason, dialog) {
  const shown = state.detail;
  if (!shown?.deniable) return dialog?.fail(gone);
  const detail = await give(() => api.deny(shown.id, { digest: shown.digest, reason, undo: true, ...withLink(shown.id) }), dialog);
  if (!detail) return;
  dropLink(detail.id);
  announce(`Denied. ${takenBackFor(detail)} Then the agent is told the reason.`);
  offerUndo(detail, 'Denied');
}

/** How long an answer can be taken back. */
function takenBackFor({ undo: offered }) {
  const seconds = Math.ceil((offered?.left_ms ?? 0) / 1000);
  return seconds > 0 ? `It can be taken back for ${plural(seconds, 'second')}.` : 'It cannot be taken back.';
}

/** Lets an answer hold that could still be taken back. @returns {Promise<boolean>} whether it does */
export async function sendNow(sure) {
  const detail = await give(() => api.send(sure.id, sure.digest, sure.until));
  if (detail) announce('Sent. It cannot be taken back any more.');
  return Boolean(detail);
}

/** @returns {Promise<{problem: string, unsent: boolean}>} why the answer still stands, and whether it is worth another try */
export async function undo(taken) {
  const instead = `If it must not run: assent deny ${taken.id} --reason … on the machine of the server.`;
  if (state.answering) return { problem: `Another answer is on its way; press once more. ${instead}`, unsent: true };
  if (state.connection !== 'live') return { problem: `The connection to the server is lost. It is tried again as soon as it is back. ${instead}`, unsent: true };
  set({ answering: true });
  try {
    const detail = await api.undo(taken.id, taken.digest, taken.until).catch((error) => takenBefore(taken, error));
    set({ answering: false });
    arrived(detail);
    announce(detail.state === 'denied' ? 'The answer is taken back. There was no time left for another one, so the call is denied.' : 'The answer is taken back. The call waits again.');
    return { problem: '', unsent: false };
  } catch (error) {
    set({ answering: false });
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'offline') return { problem: `The server has not answered. It is tried again. ${instead}`, unsent: true };
    if (state.selected === taken.id) loadDetail({ quiet: true }); // look again
    return { problem: error.message, unsent: false };
  }
}

/** The call that waits again although the server refuses an undo: it took an earlier one, and its word was lost. */
async function takenBefore(taken, error) {
  if (taken.vote || !stale.includes(error.code)) throw error;
  const now = await api.ticket(taken.id);
  if (now.state !== 'pending') throw error;
  return now;
}

/** Takes the own yes back that is one of several. */
export async function withdraw() {
  const shown = state.detail;
  if (shown?.state === 'pending' && await give(() => api.undo(shown.id, shown.digest))) announce('Your yes is taken back.');
}

export async function resolve(ran, note, dialog) {
  const shown = state.detail;
  if (shown?.state !== 'unknown') return dialog?.fail(gone);
  if (await give(() => api.resolve(shown.id, { ran, note }), dialog)) announce(ran ? 'Noted: it ran.' : 'Noted: it did not run. It waits for an answer again.');
}
