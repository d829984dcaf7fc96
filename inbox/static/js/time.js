// Times in the zone of the reader, with the exact moment as title. Ages count on by
// themselves; they take the same room whatever they say.

import { el } from './dom.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const dated = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function span(ms) {
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

function words(kind, at) {
  const away = at - Date.now();
  switch (kind) {
    case 'age':
      return -away < minute ? 'now' : span(-away);
    case 'until':
      if (away <= 0) return 'its time is over';
      return `expires in ${away < minute ? `${Math.ceil(away / 1000)} s` : span(away)}`;
    case 'left':
      return away <= 0 ? 'hardly' : `${away < minute ? `${Math.ceil(away / 1000)} s` : span(away)} more`;
    default:
      return Math.abs(away) < 12 * hour ? clock.format(at) : dated.format(at);
  }
}

/**
 * @param {string} iso
 * @param {'age'|'until'|'left'|'at'} kind
 */
export function time(iso, kind) {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return el('span');
  return el('time', { datetime: iso, title: new Date(at).toISOString(), 'data-kind': kind }, words(kind, at));
}

/** Lets all ages on the page count on. */
export function tick() {
  for (const node of document.querySelectorAll('time[data-kind="age"], time[data-kind="until"], time[data-kind="left"]')) {
    const text = words(node.getAttribute('data-kind'), Date.parse(/** @type {string} */ (node.getAttribute('datetime'))));
    if (node.textContent !== text) node.textContent = text;
  }
}
