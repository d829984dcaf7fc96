// Who else has a call open. The page tells the server what is open in it, for as long as it
// follows the changes, and is told what is open in other windows.

import * as api from './api.js';
import { Failure } from './api.js';
import { el } from './dom.js';
import { set, state } from './state.js';
import { visible } from './visible.js';

/** The name of this window, which nobody can guess. */
export const windowName = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @type {string|null} what the server was told last */
let said = null;
let busy = false;
/** @type {Set<string>} calls of which the stream has told something since the last request */
const heard = new Set();

/** The connection is new: nothing is known on either side. */
export function presenceAnew() {
  said = null;
  set({ looking: new Map() });
  sayOpen();
}

/** Says what is open here, if that is something else than before. */
export async function sayOpen() {
  const open = document.visibilityState === 'hidden' ? '' : state.detail?.id ?? '';
  if (busy || open === said || said === null && open === '' || state.connection !== 'live') return;
  busy = true;
  said = open;
  heard.clear();
  try {
    const seen = await api.presence(windowName, open);
    if (!heard.has(open)) presenceTold(seen); // what the stream has told is newer
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // it is said again with the next connection, or the next call
  } finally {
    busy = false;
  }
  sayOpen();
}

/** The stream tells who else has a call open. @param {{ticket: string, others: {name: string, you: boolean}[], more?: number}} seen */
export function presenceHeard(seen) {
  heard.add(seen.ticket);
  presenceTold(seen);
}

/** @param {{ticket: string, others: {name: string, you: boolean}[], more?: number}} seen */
function presenceTold({ ticket, others, more = 0 }) {
  const looking = new Map(state.looking);
  if (others.length > 0) looking.set(ticket, { others, more });
  else looking.delete(ticket);
  set({ looking });
}

/** The line at the call. It is filled by itself, so that nothing else on the page changes. */
export function drawLooking() {
  const line = document.getElementById('looking');
  if (!line) return;
  const seen = state.looking.get(state.selected);
  line.hidden = !seen;
  line.replaceChildren(...(seen ? words(seen) : []));
}

function words({ others, more }) {
  const names = [...new Set(others.filter(({ you }) => !you).map(({ name }) => name))].map((name) => el('b', {}, visible(name, { line: true })));
  const own = others.filter(({ you }) => you).length;
  const all = [...names, ...(own > 0 ? [own === 1 ? 'another window' : `${own} other windows`] : []), ...(more > 0 ? [`${more} more`] : [])];
  if (names.length === 0 && own > 0) all[0] = own === 1 ? 'Another window' : `${own} other windows`;
  const one = all.length === 1 && own < 2;
  return [...all.flatMap((part, i) => [i === 0 ? '' : i === all.length - 1 ? ' and ' : ', ', part]), one ? ' has this call open, too' : ' have this call open, too'].filter(Boolean);
}

/** The same for a row of the list, in two words. */
export function lookers(id) {
  const seen = state.looking.get(id);
  if (!seen) return null;
  const names = [...new Set(seen.others.filter(({ you }) => !you).map(({ name }) => name))];
  const count = seen.others.length + seen.more;
  if (count === 1 && names.length === 1) return el('span', {}, visible(names[0], { line: true }), ' looks');
  return el('span', {}, count === 1 ? 'another window' : `${count} look`);
}

export function startPresence() {
  document.addEventListener('visibilitychange', sayOpen);
}
