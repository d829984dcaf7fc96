// The stream of changes. EventSource cannot carry the token, so the stream is read with
// fetch. It goes on after the last serial that was seen, so nothing is lost in between.

import { token } from './token.js';

const first = 500;
const longest = 8_000;
// The server sends something every 15 s; a line that is silent for longer is dead.
const silence = 40_000;

/**
 * @param {object} options
 * @param {number} options.after the last serial that is known
 * @param {() => Promise<number>} options.onOther the server has other tickets than before: load them, and say from where to go on
 * @param {(change: any) => void} options.onChange
 * @param {(session: any) => void} options.onSession
 * @param {(to: 'live'|'lost'|'refused') => void} options.onConnection
 */
export async function follow({ after, onOther, onChange, onSession, onConnection }) {
  let serial = after;
  let wait = first;
  for (;;) {
    try {
      const line = new Line();
      const response = await fetch(`api/v1/events?after=${serial}`, { headers: { Authorization: `Bearer ${token()}` }, cache: 'no-store', credentials: 'omit', redirect: 'error', signal: line.signal });
      if (response.status === 401) return onConnection('refused');
      if (response.status === 409) serial = Math.max(0, await onOther());
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      line.alive();
      onConnection('live');
      wait = first;
      for await (const event of events(response.body, line)) {
        if (event.name === 'change') {
          serial = Math.max(serial, event.data.serial);
          onChange(event.data);
        } else if (event.name === 'session') {
          onSession(event.data);
        }
      }
    } catch {
      // It is told below, as the end of the stream is.
    }
    onConnection('lost');
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 2, longest);
  }
}

/** A line that is cut when it has been silent for too long. */
class Line {
  #controller = new AbortController();
  #timer = setTimeout(() => this.#controller.abort(), silence);

  get signal() {
    return this.#controller.signal;
  }

  alive() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), silence);
  }

  close() {
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
  try {
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
  } finally {
    line.close();
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
