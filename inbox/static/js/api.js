// Requests to the server. Every failure is a Failure with a code and a sentence.

import { members } from './json.js';
import { beforeToken, Unproved } from './prove.js';
import { token } from './token.js';

const root = 'api/v1';
// What somebody asks for who is not in yet: a no there ends nothing.
const entrances = ['sign-in'];
const patience = 20_000;
const undoPatience = 2_000; // of the seconds in which it counts, so that it can be tried again

export class Failure extends Error {
  /**
   * @param {string} code one of the API, or "offline" or "refused"
   * @param {string} message
   * @param {any} [details]
   * @param {number} [wait] how many seconds to wait before it is tried again
   */
  constructor(code, message, details, wait = 0) {
    super(message);
    this.code = code;
    this.details = details;
    this.wait = wait;
  }
}

/** @type {(unproved: boolean) => void} */
let onRefused = () => {};

/** Sets what happens when the server does not take the token, or not any more, or has not proved that it knows it. */
export function whenRefused(fn) {
  onRefused = fn;
}

/**
 * @param {'GET'|'POST'} method
 * @param {string} path below the root of the API
 * @param {string} [body] JSON as text: numbers stay as they were written
 * @param {(text: string) => any} [read] what makes something of the answer
 * @param {number} [within] how long the server may take, in milliseconds
 */
async function request(method, path, body, read = JSON.parse, within = patience) {
  const used = token();
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${used}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  let text;
  try {
    await beforeToken();
    response = await fetch(`${root}/${path}`, { method, headers, body, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(within) });
    text = await response.text();
  } catch (error) {
    if (!(error instanceof Unproved)) throw new Failure('offline', 'The server does not answer.');
    if (used === token()) onRefused(true);
    throw new Failure('refused', 'The server has not proved that it knows you, so nothing was sent. Sign in, and do it again.');
  }
  if (response.status === 401 && !entrances.includes(path)) {
    if (used === token()) onRefused(false); // else somebody has signed in since it was sent
    throw new Failure('refused', 'You are not signed in any more, so nothing was taken. Sign in, and do it again.');
  }
  let data;
  try {
    data = response.ok ? read(text) : JSON.parse(text);
  } catch {
    throw new Failure('internal', `The server has sent something that is not JSON (status ${response.status}).`);
  }
  if (!response.ok) {
    const said = data?.error ?? {};
    const code = response.status === 401 ? 'refused' : said.code ?? 'internal';
    const wait = response.status === 429 ? Number(response.headers.get('Retry-After')) || 1 : 0;
    throw new Failure(code, said.message ?? `The server says status ${response.status}.`, said.details, wait);
  }
  return data;
}

const get = (path) => request('GET', path);
const post = (path, body) => request('POST', path, JSON.stringify(body));

/** A call, with its inputs as they were written beside what the browser makes of them. */
function call(text) {
  const written = members(text);
  return { ...JSON.parse(text), input_text: written.get('input'), edited_text: written.get('edited') };
}

const answer = (path, body) => request('POST', path, JSON.stringify(body), call);

/** How one gets in. @returns {Promise<{people: boolean, oidc: {name: string}|null}>} */
export const ways = () => get('sign-in');
export const signIn = (name, password) => post('sign-in', { name, password });
export const signOut = () => post('sign-out', {});
/** What a link of a notification leads to. It decides nothing, and uses up nothing. */
export const link = (text) => post('links', { link: text });
export const me = () => get('me');
export const overview = () => get('overview');
export const presence = (window, ticket) => post('presence', { window, ticket });

export function tickets(after = '', most = 50) {
  return get(`tickets?${new URLSearchParams({ state: 'pending,unknown', limit: String(most), ...(after && { after }) })}`);
}

export function past(text, after = '') {
  return get(`history?${new URLSearchParams({ limit: '50', ...(text && { q: text }), ...(after && { after }) })}`);
}

export const ticket = (id) => request('GET', `tickets/${encodeURIComponent(id)}`, undefined, call);
export const audit = (id) => get(`tickets/${encodeURIComponent(id)}/audit`);
export const session = (id) => get(`sessions/${encodeURIComponent(id)}`);
/** @param {string} [until] of the answer that holds from then on */
export const send = (id, digest, until) => answer(`tickets/${encodeURIComponent(id)}/send`, { digest, ...(until && { until }) });
export const deny = (id, body) => answer(`tickets/${encodeURIComponent(id)}/deny`, body);
export const undo = (id, digest, until) => request('POST', `tickets/${encodeURIComponent(id)}/undo`, JSON.stringify({ digest, ...(until ? { until } : {}) }), call, undoPatience);
export const resolve = (id, body) => answer(`tickets/${encodeURIComponent(id)}/resolve`, body);
export const comment = (id, text) => answer(`tickets/${encodeURIComponent(id)}/comment`, { text });
export const batch = (body) => post('batch', body);

/** @param {string} input JSON as text */
export const check = (id, input) => request('POST', `tickets/${encodeURIComponent(id)}/check`, `{"input":${input}}`);

/**
 * @param {string} id
 * @param {Record<string, any>} body
 * @param {string} [input] JSON as text, to run in place of what waits
 */
export function approve(id, body, input) {
  const text = JSON.stringify(body);
  const whole = input === undefined ? text : `${text.slice(0, -1)},"input":${input}}`;
  return request('POST', `tickets/${encodeURIComponent(id)}/approve`, whole, call);
}
