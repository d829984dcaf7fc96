// The server proves that it knows the token before the token is sent to it. Without TLS nothing
// else says who answers: another program of this machine may have taken the port of a server that
// is down. A proof holds for as long as the stream of changes stands that was opened after it:
// a server that ends takes its stream with it.

import { token } from './token.js';

const patience = 20_000;

/** What answers does not know the token: another program, or a server that has another one. */
export class Unproved extends Error {}

let standing = false;

/** The stream of changes stands, or not any more. @param {boolean} on */
export function stands(on) {
  standing = on;
}

/** Says nothing to a server that has not proved itself. It throws Unproved, or something else when the server does not answer. */
export async function beforeToken() {
  if (!standing) await prove();
}

/** @type {{token: string, done: Promise<void>}|null} a proof that is on its way is one for all who wait for it */
let asked = null;

/** Lets the server prove itself now. */
export function prove() {
  const used = token();
  if (used === '' || !possible()) return Promise.resolve();
  if (asked?.token !== used) {
    const own = asked = { token: used, done: ask(used).finally(() => { if (asked === own) asked = null; }) };
  }
  return asked.done;
}

/** With TLS the certificate is the proof. Browsers compute nothing for a page of another machine that came without. */
function possible() {
  return location.protocol === 'http:' && crypto.subtle !== undefined;
}

/** @param {string} used */
async function ask(used) {
  const digest = await crypto.subtle.digest('SHA-256', bytes(used));
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const body = JSON.stringify({ key: hex(digest).slice(0, 16), nonce });
  const response = await fetch('api/v1/proof', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(patience) });
  if (response.status >= 500) throw new Error(`status ${response.status}`); // a server in trouble may be the right one
  const { salt, proof } = await response.json().catch(() => ({})) ?? {};
  const key = await crypto.subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const expected = await crypto.subtle.sign('HMAC', key, bytes(['assent proof 1', location.host, nonce, salt].join('\n')));
  if (proof !== hex(expected)) throw new Unproved();
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}

/** @param {ArrayBuffer|Uint8Array<ArrayBuffer>} data */
function hex(data) {
  return [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
