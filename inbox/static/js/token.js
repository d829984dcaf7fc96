// The token comes in the fragment of the link, which browsers send to no server, or from a
// sign-in, and stays in the storage of this tab. It is taken out of the address at once.

const key = 'assent-token';
// What stood in the address of somebody who signs in elsewhere and comes back with a token.
const wanted = 'assent-address';
// That this tab has gone elsewhere to sign in. It holds for the next time that the page is
// loaded: whoever sends a link with a sign-in of their own signs nobody else in as them.
const begun = 'assent-sign-in';
// How the tokens of people begin. That of a server is for whoever has its link.
const ofPeople = 'asp_';

let unasked = false;

/** The token in a link; empty when it has none. A "+" in it is one, and no blank. */
export function tokenIn(link) {
  const given = /[#&]token=([^&]*)/.exec(link)?.[1] ?? '';
  try {
    return decodeURIComponent(given);
  } catch { // a "%" that is one
    return given;
  }
}

/** Takes the token out of the address. @returns {boolean} whether there was one that counts */
export function takeToken() {
  const given = tokenIn(location.hash);
  const expected = sessionStorage.getItem(begun) !== null;
  sessionStorage.removeItem(begun);
  if (given === '') return false;
  unasked = given.startsWith(ofPeople) && !expected;
  if (!unasked) sessionStorage.setItem(key, given);
  const ticket = /&ticket=([a-z0-9]{12})(?:&|$)/.exec(location.hash)?.[1];
  const before = sessionStorage.getItem(wanted) ?? '';
  sessionStorage.removeItem(wanted);
  history.replaceState(null, '', location.pathname + location.search + (ticket ? `#/call/${ticket}` : before));
  return !unasked;
}

/** The link had the sign-in of somebody in it, which nobody has begun here. It was thrown away. */
export function cameUnasked() {
  return unasked;
}

/** Somebody goes elsewhere to sign in: what they wanted to see is shown when they are back. */
export function leaveToSignIn() {
  sessionStorage.setItem(wanted, location.hash);
  sessionStorage.setItem(begun, 'yes');
}

export function token() {
  return sessionStorage.getItem(key) ?? '';
}

export function keepToken(text) {
  unasked = false;
  sessionStorage.setItem(key, text);
}

export function forgetToken() {
  sessionStorage.removeItem(key);
}
