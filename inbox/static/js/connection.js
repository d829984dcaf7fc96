// The line to the server: its state in the corner, and what to do when it is gone.

import { byId, el, newId } from './dom.js';
import { state } from './state.js';
import { forgetToken, keepToken, token, tokenIn } from './token.js';

let name = '';

export function nameOf(person) {
  name = person;
}

export function drawConnection() {
  const corner = byId('connection');
  const words = { connecting: 'Connecting…', live: name ? `Live, as ${name}` : 'Live', lost: 'Not connected', refused: 'Signed out' };
  corner.dataset.state = state.connection === 'refused' ? 'lost' : state.connection;
  corner.textContent = words[state.connection];
  const lost = byId('lost');
  lost.hidden = state.connection !== 'lost';
  lost.textContent = lost.hidden ? '' : 'The connection to the server is lost. Nothing can be answered until it is back; the page keeps trying. What you see may be out of date.';
}

/** Without a token that the server knows there is nothing to show. */
export function drawGate() {
  if (byId('main').classList.contains('gated')) return;
  const had = token() !== '';
  forgetToken();
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
  document.querySelector('.skip')?.remove();
  byId('bar').hidden = true;
  for (const column of byId('main').children) column.hidden = true;
  byId('main').append(el('div', { class: 'gate' },
    el('h2', {}, had ? 'The server does not know this token' : 'This page needs a token'),
    el('p', {}, 'Open the link that ', el('code', {}, 'assent serve'), ' printed when it started. Each start makes a new one, and a link of an earlier start is worth nothing.'),
    el('p', {}, 'A server that was started with ', el('code', {}, '--token-file'), ' prints a link without a token: paste what stands in that file.'),
    el('form', { class: 'field', on: { submit } }, el('label', { for: id }, 'Or paste the link or the token'), input, el('button', { type: 'submit', class: 'primary' }, 'Open the inbox'))));
  byId('main').classList.add('gated');
}
