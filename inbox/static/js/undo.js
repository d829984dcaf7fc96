// Five seconds in which an answer can be taken back. Nobody acts on it before they are over.

import { byId, el } from './dom.js';
import { sentence } from './sentence.js';

const room = 5;
let timer = 0;
/** @type {{id: string, digest: string, until?: string}|null} what names the answer, so that nobody takes back that of another */
let offered = null;
/** @type {(taken: {id: string, digest: string, until?: string}) => void} */
let take = () => {};

/** Sets what takes an answer back. */
export function whenUndone(fn) {
  take = fn;
}

/**
 * @param {any} item that was answered, as it stands then
 * @param {string} word how
 */
export function offerUndo(item, word) {
  withdraw();
  offered = { id: item.id, digest: item.digest, until: item.undo?.until };
  const until = Date.now() + room * 1000;
  const left = el('span', { class: 'number', 'aria-hidden': 'true' }, ` ${room} s`);
  byId('undo').replaceChildren(el('p', {}, `${word}: `, sentence(item.edited_sentence ?? item.sentence)), el('button', { type: 'button', on: { click: takeBack } }, 'Undo', left));
  byId('undo').hidden = false;
  timer = window.setInterval(() => {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    if (seconds <= 0) withdraw();
    else left.textContent = ` ${seconds} s`;
  }, 200);
}

/** Takes the last answer back, as long as that is offered. */
export function takeBack() {
  const taken = offered;
  withdraw();
  if (taken) take(taken);
}

/** Ends the offer: the time is over, or the call has begun. */
export function withdraw(id = '') {
  if (id !== '' && offered?.id !== id) return;
  clearInterval(timer);
  offered = null;
  const bar = byId('undo');
  if (bar.contains(document.activeElement)) byId('call').focus();
  bar.hidden = true;
}
