// Some seconds in which an answer can be taken back. Nobody acts on it before they are over, or its giver
// sends it. Who
// answers several calls one after the other can take back each, the newest first.

import { announce, byId, el } from './dom.js';
import { sentence } from './sentence.js';
import { escaped, visible } from './visible.js';

const room = 5_000; // for one yes of several, which nobody acts upon
const often = 1_000; // an undo that did not arrive is sent again
let timer = 0;
/**
 * @typedef {{id: string, digest: string, until?: string, vote: boolean}} Taken what names the answer, so that nobody takes back that of another; a vote is one yes of several
 * @type {(Taken & {ends: number, words: () => any[], denied: boolean, wanted: boolean, tried: number, problem: string})[]} the newest last
 */
let offers = [];
/** @type {(taken: Taken) => Promise<{problem: string, unsent: boolean}>} */
let take = async () => ({ problem: '', unsent: false });

/** @type {(sure: Taken) => Promise<boolean>} */
let send = async () => false;

/** Sets what takes an answer back, and what sends it before its time. */
export function whenUndone(back, now) {
  take = back;
  send = now;
}

/**
 * @param {any} item that was answered, as it stands then
 * @param {string} word how
 */
export function offerUndo(item, word) {
  const vote = item.state === 'pending';
  const left = vote ? room : item.undo?.left_ms ?? 0;
  offers = offers.filter((offer) => offer.id !== item.id);
  if (left <= 0) return draw(); // whoever waits for it has no time
  offers.push({ id: item.id, digest: item.digest, until: item.undo?.until, vote, ends: Date.now() + left, words: () => [`${word}: `, sentence(item.edited_sentence ?? item.sentence)], denied: item.state === 'denied', wanted: false, tried: 0, problem: '' });
  draw();
  if (!timer) timer = window.setInterval(pass, 200);
}

/**
 * A call was read whose answer can be taken back by whoever looks at it: the page was loaded anew, or the answer
 * was given in another tab.
 * @param {any} detail
 */
export function offerAgain(detail) {
  const { id, undo, answer } = detail;
  if (!undo || !answer || offers.some((offer) => offer.id === id && offer.until === undo.until)) return;
  offerUndo(detail, answer.decision === 'deny' ? 'Denied' : detail.edited_sentence ? 'Approved as edited' : 'Approved');
}

/** An undo is on its way: nobody knows yet what comes of it. */
function sending(offer) {
  return offer.tried === Infinity;
}

/** Time passes. What somebody wanted to take back and could not stays, so that they know. */
function pass() {
  const before = offers.length;
  for (const offer of offers.filter((one) => one.wanted && !sending(one))) {
    if (offer.ends <= Date.now()) giveUp(offer);
    else if (Date.now() - offer.tried >= often) tryUndo(offer);
  }
  offers = offers.filter((offer) => offer.problem || sending(offer) || offer.ends > Date.now());
  const left = byId('undo').querySelector('.number');
  const newest = offers.at(-1);
  if (before !== offers.length || newest && newest.ends <= Date.now() && left) draw();
  else if (newest && left) left.textContent = ` ${secondsOf(newest)} s`;
}

function secondsOf(offer) {
  return Math.ceil((offer.ends - Date.now()) / 1000);
}

function draw() {
  const bar = byId('undo');
  const offer = offers.at(-1);
  if (!offer) {
    clearInterval(timer);
    timer = 0;
    if (bar.contains(document.activeElement)) byId('call').focus();
    bar.hidden = true;
    return;
  }
  const open = offer.ends > Date.now();
  const focused = bar.contains(document.activeElement);
  const button = open
    ? el('button', { type: 'button', on: { click: takeBack } }, 'Undo', el('span', { class: 'number', 'aria-hidden': 'true' }, ` ${secondsOf(offer)} s`))
    : el('button', { type: 'button', on: { click: () => withdraw(offer.id) } }, 'Close');
  const sure = open && !offer.vote && !offer.wanted ? el('button', { type: 'button', class: 'send', on: { click: () => sendIt(offer) } }, 'Send now') : null;
  bar.replaceChildren(el('p', {}, ...offer.words(), said(offer)), ...[sure, button].filter(Boolean));
  bar.hidden = false;
  if (focused) button.focus();
}

/** What has become of an undo so far. */
function said(offer) {
  if (offer.problem) return el('span', { class: 'notice bad', role: 'alert' }, el('b', {}, 'Not taken back.'), visible(offer.problem));
  return sending(offer) ? el('span', { class: 'notice', role: 'status' }, 'Taking it back…') : null;
}

/** Takes the newest answer back, as long as that is offered. */
export function takeBack() {
  const offer = offers.findLast(({ ends }) => ends > Date.now());
  if (offer && !sending(offer)) tryUndo(offer);
}

/** The person is sure. */
async function sendIt(offer) {
  if (await send(offer)) withdraw(offer.id);
}

/** The connection is back: what somebody wanted to take back, and could not send, is sent. */
export function undoAgain() {
  for (const offer of offers) if (offer.wanted && !sending(offer) && offer.ends > Date.now()) tryUndo(offer);
}

async function tryUndo(offer) {
  Object.assign(offer, { wanted: true, tried: Infinity }); // one at a time
  draw();
  const { problem, unsent } = await take({ id: offer.id, digest: offer.digest, until: offer.until, vote: offer.vote });
  offer.tried = Date.now();
  if (!problem) return withdraw(offer.id);
  say(offer, problem, unsent);
}

/** Its time is over, and nothing more is sent. */
function giveUp(offer) {
  const then = offer.denied ? 'the agent is told so.' : `the call runs when its session goes on. To stop it: assent deny ${offer.id} --reason … on the machine of the server.`;
  say(offer, `It is not tried any more: the answer stands, and ${then}`, false);
}

function say(offer, problem, wanted) {
  const known = offer.problem === problem && offer.wanted === wanted;
  Object.assign(offer, { problem, wanted });
  if (known || !offers.includes(offer)) return;
  announce(escaped(`Not taken back. ${problem}`));
  draw();
}

/** The call has begun, or waits again: there is nothing to take back. Who wanted to, and could not, is still told. */
export function overtaken(id, to) {
  const offer = offers.find((one) => one.id === id);
  if (!offer?.wanted && !offer?.problem || to === 'pending') return withdraw(id);
  offer.ends = 0;
  if (offer.problem) draw();
  else say(offer, 'The call has begun.', false);
}

function withdraw(id) {
  if (!offers.some((offer) => offer.id === id)) return;
  offers = offers.filter((offer) => offer.id !== id);
  draw();
}
