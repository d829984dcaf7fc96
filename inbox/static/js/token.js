// The token comes in the fragment of the link, which browsers send to no server, and stays
// in the storage of this tab. It is taken out of the address at once.

const key = 'assent-token';

/** The token in a link; empty when it has none. A "+" in it is one, and no blank. */
export function tokenIn(link) {
  const given = /[#&]token=([^&]*)/.exec(link)?.[1] ?? '';
  try {
    return decodeURIComponent(given);
  } catch { // a "%" that is one
    return given;
  }
}

/** Takes the token out of the address. @returns {boolean} whether there was one */
export function takeToken() {
  const given = tokenIn(location.hash);
  if (given === '') return false;
  sessionStorage.setItem(key, given);
  const ticket = /&ticket=([a-z0-9]{12})(?:&|$)/.exec(location.hash)?.[1];
  history.replaceState(null, '', location.pathname + location.search + (ticket ? `#/call/${ticket}` : ''));
  return true;
}

export function token() {
  return sessionStorage.getItem(key) ?? '';
}

export function keepToken(text) {
  sessionStorage.setItem(key, text);
}

export function forgetToken() {
  sessionStorage.removeItem(key);
}
