// The stream of changes. EventSource cannot carry the token, so the stream is read with
// fetch. It goes on after the last serial that was seen, so nothing is lost in between.

import { prove, stands, Unproved } from './prove.js';
import { token } from './token.js';

const first = 500;
const longest = 8_000;
// The server sends something every 15 s; a line that is silent for longer is dead.
const silence = 40_000;
// Browsers hold six lines to one server, so only pages that are looked at have one. Whoever
// looks away for a moment keeps it.
const glance = 3_000;

/**
 * @param {object} options
 * @param {number} options.after the last serial that is known
 * @param {() => Promise<number>} options.onOther the server has other tickets than before: load them, and say from where to go on
 * @param {(change: any) => void} options.onChange
 * @param {(session: any) => void} options.onSession
 * @param {(rule: any) => void} options.onRule
 * @param {(seen: any) => void} options.onPresence
 * @param {string} options.window the name of this page
 * @param {(to: 'connecting'|'live'|'lost'|'refused'|'unproved') => void} options.onConnection
 * @param {AbortSignal} options.signal that it is over: the sign-in has ended
 */
export async function follow({ after, window: name, onOther, onChange, onSession, onRule, onPresence, onConnection, signal }) {
  let serial = after;
  let wait = first;
  for (;;) {
    await inSight();
    if (signal.aborted) return;
    const line = new Line(signal);
    try {
      await prove();
      if (signal.aborted) return;
      const response = await fetch(`api/v1/events?after=${serial}&window=${name}`, { headers: { Authorization: `Bearer ${token()}` }, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: line.signal });
      if (signal.aborted) return;
      if (response.status === 401) return onConnection('refused');
      if (response.status === 409) serial = Math.max(0, await onOther());
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      line.alive();
      stands(true);
      onConnection('live');
      wait = first;
      for await (const event of events(response.body, line)) {
        if (event.name === 'change') {
          serial = Math.max(serial, event.data.serial);
          onChange(event.data);
        } else if (event.name === 'session') {
          onSession(event.data);
        } else if (event.name === 'rule') {
          onRule(event.data);
        } else if (event.name === 'presence') {
          onPresence(event.data);
        }
      }
    } catch (error) {
      if (error instanceof Unproved && !signal.aborted) return onConnection('unproved');
      // The rest is told below, as the end of the stream is.
    } finally {
      stands(false);
      line.close();
    }
    if (signal.aborted) return;
    if (away()) {
      onConnection('connecting');
      continue;
    }
    onConnection('lost');
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 2, longest);
  }
}

function away() {
  return document.visibilityState === 'hidden';
}

/** Waits until somebody looks at the page. */
function inSight() {
  return new Promise((done) => {
    const look = () => {
      if (away()) return;
      document.removeEventListener('visibilitychange', look);
      done(undefined);
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}

/** A line that is cut when it has been silent for too long, or nobody looks at the page. */
class Line {
  #controller = new AbortController();
  #timer = setTimeout(() => this.#controller.abort(), silence);
  #unseen = 0;
  #look = () => {
    clearTimeout(this.#unseen);
    if (away()) this.#unseen = window.setTimeout(() => this.#controller.abort(), glance);
  };

  /** @param {AbortSignal} over */
  constructor(over) {
    document.addEventListener('visibilitychange', this.#look);
    over.addEventListener('abort', () => this.close(), { once: true, signal: this.signal });
  }

  get signal() {
    return this.#controller.signal;
  }

  alive() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), silence);
  }

  close() {
    document.removeEventListener('visibilitychange', this.#look);
    clearTimeout(this.#unseen);
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {Line} line
 */
async function* events(body, line) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    line.alive();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

/** One block of the stream; null for one that only says that the server is there. */
export function parse(block) {
  let name = 'message';
  const data = [];
  for (const text of block.split('\n')) {
    if (text.startsWith('event:')) name = text.slice(6).trim();
    if (text.startsWith('data:')) data.push(text.slice(5).trim());
  }
  return data.length > 0 ? { name, data: JSON.parse(data.join('\n')) } : null;
}
