// The gate: what is shown to somebody whom the server does not know, or not any more. Where
// people are known by name they sign in, elsewhere the token of the server is asked for. What
// stood on the page, and what was typed, stays behind the gate for the one who was there.

import * as api from './api.js';
import { Failure } from './api.js';
import { closeDialog } from './dialog.js';
import { byId, el, newId } from './dom.js';
import { signInForm } from './signin.js';
import { state } from './state.js';
import { cameUnasked, forgetToken, keepToken, token, tokenIn } from './token.js';

const pause = 2_000;

/** @type {any} what stands before the page */
let gate = null;

/** @param {boolean} shut */
function shutPage(shut) {
  byId('bar').hidden = shut;
  /** @type {any} */ (document.querySelector('.skip')).hidden = shut;
  /** @type {any} */ (document.querySelector('.top nav')).hidden = shut;
  for (const column of byId('main').children) column.hidden = shut;
  byId('main').classList.toggle('gated', shut);
}

/**
 * Without a token that the server knows there is nothing to show.
 * @param {(name: string) => void} enter somebody has signed in
 * @param {boolean} unproved the token was not sent, because what answers has not proved that it knows it
 */
export async function drawGate(enter, unproved) {
  if (gate) return;
  const had = token() !== '';
  forgetToken();
  closeDialog(); // what was typed in it is kept
  shutPage(true);
  const place = gate = el('div', { class: 'gate' }, el('p', { class: 'muted' }, 'Asking the server how to sign in…'));
  byId('main').append(gate);
  const ways = await askWays();
  if (gate !== place) return;
  if (!ways.people) return place.replaceChildren(...tokenForm(had, unproved));
  const form = signInForm({ ended: had, unasked: cameUnasked(), known: state.me?.people ? state.me.name : '', oidc: ways.oidc, enter: (given) => { keepToken(given.token); enter(given.name); } });
  place.replaceChildren(...(unproved ? [strange('password')] : []), ...form.nodes);
  form.focus();
}

/** How one gets in. A server of before knows one way only. */
async function askWays() {
  for (;;) {
    try {
      return await api.ways();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code !== 'offline') return { people: false, oidc: null };
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** Somebody is in. */
export function openGate() {
  gate?.remove();
  gate = null;
  shutPage(false);
}

/** What to look at before anything is given to somebody who does not know the token. @param {'token'|'password'} secret */
function strange(secret) {
  return el('p', { class: 'notice' }, el('b', {}, 'Your token was not sent.'), `What answers here does not know it. That is so after the server was started with another one, or when you were signed out. Otherwise another program may have taken its place: make sure that your server runs before you give a ${secret} here.`);
}

/** @param {boolean} had whether there was a token, which was not taken @param {boolean} unproved */
function tokenForm(had, unproved) {
  const id = newId();
  const input = el('input', { id, type: 'password', autocomplete: 'off', required: true });
  const submit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    const given = tokenIn(text) || text;
    if (given === '') return;
    keepToken(given);
    location.reload();
  };
  return [
    el('h2', {}, had ? 'The server does not know this token' : 'This page needs a token'),
    ...(unproved ? [strange('token')] : []),
    el('p', {}, 'Open the link that ', el('code', {}, 'assent serve'), ' printed when it started. Each start makes a new one, and a link of an earlier start is worth nothing.'),
    el('p', {}, 'A server that was started with ', el('code', {}, '--token-file'), ' prints a link without a token: paste what stands in that file.'),
    el('form', { class: 'field', on: { submit } }, el('label', { for: id }, 'Or paste the link or the token'), input, el('button', { type: 'submit', class: 'primary' }, 'Open the inbox')),
  ];
}
