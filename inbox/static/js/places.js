// Where a call leads. Somebody else can make a link in its path lead elsewhere while a
// person types, so the files are shown, and those that are others are not approved by a click
// that was aimed before.

import { el } from './dom.js';
import { visible } from './visible.js';

// A click right after the notice is the second of a double one.
const dead = 400;

/** @param {string[]} [one] @param {string[]} [other] */
function same(one = [], other = []) {
  return one.length === other.length && one.every((place) => other.includes(place));
}

/** @param {string[]} [shown] the files of the call as the page shows it */
export function placesField(shown = []) {
  const again = el('p', { class: 'notice', role: 'alert', hidden: true }, 'Nothing was sent. Press once more if you mean where it leads now.');
  const node = el('div', { class: 'field', 'aria-live': 'polite' });
  /** @type {string[]|undefined} what stands there now */
  let now = shown;
  let seen = shown;
  let aliveAt = 0;
  return {
    node,
    /** Shows where an input leads. @param {any} verdict of the server, or null when there is none */
    show(verdict) {
      now = verdict?.places;
      again.hidden = true;
      node.replaceChildren(...(verdict ? told(verdict, shown) : []), again);
    },
    /** The files that stand there, which are sent with a yes. */
    places: () => now,
    /** Whether a click means what stands there. One that comes before the person has seen it only shows it. */
    meant() {
      if (same(now, seen)) return performance.now() >= aliveAt;
      [seen, aliveAt] = [now ?? [], performance.now() + dead];
      again.hidden = false;
      node.scrollIntoView({ block: 'nearest' });
      return false;
    },
  };
}

/** The files that a call leads to, for a dialog in which it is approved. @param {import('./state.js').Detail} detail */
export function leadsTo({ places = [], rules }) {
  return places.length > 0 ? el('p', { class: 'muted' }, 'It leads to ', ...listed(places, (place) => isOutside(place, rules)), '.') : null;
}

function told({ places = [], rules }, shown) {
  const leads = places.length > 0 ? ['It leads to ', ...listed(places, (place) => isOutside(place, rules)), '.'] : [];
  if (same(places, shown)) return places.length > 0 ? [el('p', { class: 'muted' }, ...leads)] : [];
  const before = shown.length > 0 ? [' What was shown leads to ', ...listed(shown, () => false), '.'] : [];
  return [el('div', { class: 'notice bad' }, el('b', {}, 'It leads to another file than the call that was shown.'), ...leads, ...before)];
}

/** What is not known to lie in the project lies outside. */
function isOutside(place, rules) {
  return Boolean(rules) && !rules.paths?.some(({ given, real, inside }) => inside && (real || given) === place);
}

function listed(places, outside) {
  return places.flatMap((place, i) => [i > 0 ? ', ' : '', el('code', { class: 'exact' }, visible(place, { line: true })), outside(place) ? ', outside of the project' : '']);
}
