// What the page knows, in one place. Each module watches what it shows.

/**
 * @typedef {{id: string, state: string, tool: string, sentence: string, shown: string, risk: string, session: string, places?: string[],
 *   edited_sentence?: string, cwd: string, asker?: string, since: string, expires?: string, outcome?: string, digest: string, kin?: string,
 *   answer?: {decision: string, by: string, at: string, reason?: string}}} Item
 * @typedef {Item & Record<string, any>} Detail
 * @typedef {'connecting'|'live'|'lost'|'refused'} Connection
 * @typedef {{name: string, shown?: string, role?: string, may?: {answer: boolean, manage: boolean}, for?: string[], people?: boolean}} Me
 * @typedef {{text: string, ticket: string, used: boolean, problem: {message: string, gone: boolean}|null}} Link ticket is empty until it is known; used: somebody has answered with it before
 */

export const state = {
  /** @type {Connection} */
  connection: 'connecting',
  /** @type {Me|null} who looks at the page, as soon as that is known */
  me: null,
  /** @type {Link|null} the link of a notification that was opened */
  link: null,
  /** @type {'waiting'|'history'} */
  view: 'waiting',

  /** @type {Item[]} the queue in the order in which it was loaded */
  items: [],
  /** @type {'loading'|'ready'|'failed'} */
  list: 'loading',
  listProblem: '',
  next: '',
  /** @type {Record<string, number>} */
  counts: {},
  /** @type {any[]} */
  damaged: [],
  /** @type {{session: string, more: number}[]} sessions that ask for more than is listed */
  crowds: [],
  /** @type {Set<string>} tickets that came after the list was loaded */
  fresh: new Set(),
  /** @type {Set<string>} tickets that are marked for one common answer */
  chosen: new Set(),

  /** @type {string} the ticket that is looked at */
  selected: '',
  /** @type {Detail|null} */
  detail: null,
  /** @type {{message: string, missing: boolean}|null} why there is no detail */
  detailProblem: null,
  /** @type {string} what went wrong with the last answer */
  answerProblem: '',
  answering: false,
  /** @type {any} the session of the call that is looked at */
  session: null,
  /** @type {any} what is on record about it */
  record: null,

  /** @type {Map<string, {others: {name: string, you: boolean}[], more: number}>} who else has a call open */
  looking: new Map(),
  /** @type {any} what there is to know while nothing waits */
  overview: null,
  /** where the server keeps its state */
  place: '',
};

/** @type {{keys: string[], fn: () => void}[]} */
const watchers = [];

/** Calls fn whenever one of the keys was set. */
export function watch(keys, fn) {
  watchers.push({ keys, fn });
}

/**
 * Sets something, and tells everybody who shows it. A part that cannot draw a call keeps no other from being told;
 * but what is not shown as a whole is not shown at all, so that nobody answers it.
 * @param {Partial<typeof state>} patch
 */
export function set(patch) {
  Object.assign(state, patch);
  const changed = Object.keys(patch);
  let failed = false;
  for (const { keys, fn } of watchers) {
    if (!keys.some((key) => changed.includes(key))) continue;
    try {
      fn();
    } catch (error) {
      failed = true;
      reportError(error);
    }
  }
  if (failed && state.detail) set({ detail: null, detailProblem: { message: undrawn, missing: false } });
}

const undrawn = 'The page could not draw it, so nothing about it can be answered here. The console of the browser says why.';

/** Whether a person can still say something about a call. */
export function waits(item) {
  return item.state === 'pending' || item.state === 'unknown';
}
