// Requests to the server. Every failure is a Failure with a code and a sentence.

import { members } from './json.js';
import { token } from './token.js';

const root = 'api/v1';
const patience = 20_000;

export class Failure extends Error {
  /**
   * @param {string} code one of the API, or "offline" or "refused"
   * @param {string} message
   * @param {any} [details]
   */
  constructor(code, message, details) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** @type {() => void} */
let onRefused = () => {};

/** Sets what happens when the server does not take the token. */
export function whenRefused(fn) {
  onRefused = fn;
}

/**
 * @param {'GET'|'POST'} method
 * @param {string} path below the root of the API
 * @param {string} [body] JSON as text: numbers stay as they were written
 * @param {(text: string) => any} [read] what makes something of the answer
 */
async function request(method, path, body, read = JSON.parse) {
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${token()}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  let text;
  try {
    response = await fetch(`${root}/${path}`, { method, headers, body, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(patience) });
    text = await response.text();
  } catch {
    throw new Failure('offline', 'The server does not answer.');
  }
  if (response.status === 401) {
    onRefused();
    throw new Failure('refused', 'The server does not know this token.');
  }
  let data;
  try {
    data = response.ok ? read(text) : JSON.parse(text);
  } catch {
    throw new Failure('internal', `The server has sent something that is not JSON (status ${response.status}).`);
  }
  if (!response.ok) {
    const said = data?.error ?? {};
    throw new Failure(said.code ?? 'internal', said.message ?? `The server says status ${response.status}.`, said.details);
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
export const deny = (id, body) => answer(`tickets/${encodeURIComponent(id)}/deny`, body);
export const undo = (id, digest, until) => answer(`tickets/${encodeURIComponent(id)}/undo`, { digest, ...(until ? { until } : {}) });
export const resolve = (id, body) => answer(`tickets/${encodeURIComponent(id)}/resolve`, body);
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
