// The token comes in the fragment of the link, which browsers send to no server, and stays
// in the storage of this tab. It is taken out of the address at once.

const key = 'assent-token';

/** Takes the token out of the address, if it is there. */
export function takeToken() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get('token');
  if (!given) return;
  sessionStorage.setItem(key, given);
  const ticket = fragment.get('ticket') ?? '';
  const rest = /^[a-z0-9]{12}$/.test(ticket) ? `#/call/${ticket}` : '';
  history.replaceState(null, '', location.pathname + location.search + rest);
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
