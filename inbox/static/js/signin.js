// The form with which people sign in.

import * as api from './api.js';
import { Failure } from './api.js';
import { stowDrafts } from './drafts.js';
import { el, newId } from './dom.js';
import { leaveToSignIn } from './token.js';
import { visible } from './visible.js';

/**
 * @param {object} options
 * @param {boolean} options.ended somebody was signed in, or had a link, and it does not count any more
 * @param {boolean} options.unasked the link had a sign-in in it that nobody has begun here
 * @param {string} options.known who was at the page before; empty when it was just opened
 * @param {{name: string}|null} options.oidc another server at which one can sign in
 * @param {(given: {token: string, name: string}) => void} options.enter
 */
export function signInForm({ ended, unasked, known, oidc, enter }) {
  const id = newId();
  const name = el('input', { id: `${id}-name`, type: 'text', autocomplete: 'username', autocapitalize: 'off', spellcheck: 'false' });
  const password = el('input', { id: `${id}-password`, type: 'password', autocomplete: 'current-password' });
  const button = el('button', { type: 'submit', class: 'primary' }, 'Sign in');
  const problem = el('p', { class: 'notice bad', role: 'alert', hidden: true });
  const title = el('h2', { tabindex: '-1' }, ended ? 'Your sign-in has ended' : 'Sign in');
  name.value = known;
  let busy = false;

  /** @param {string} text */
  function tell(text) {
    problem.hidden = text === '';
    problem.replaceChildren(visible(text));
  }

  /** Whoever has guessed too often waits, and sees for how long. @param {number} seconds */
  function hold(seconds) {
    const until = Date.now() + seconds * 1_000;
    const left = el('b', { class: 'number' });
    problem.replaceChildren(left, 'Nothing was tried now. An admin can set a new password for you.');
    problem.hidden = false;
    button.disabled = true;
    const count = () => {
      const rest = Math.ceil((until - Date.now()) / 1_000);
      left.textContent = `Too many wrong passwords. Wait ${waiting(rest)}, then try again.`;
      if (rest > 0) return;
      clearInterval(timer);
      button.disabled = false;
      tell('');
    };
    const timer = window.setInterval(count, 500);
    count();
  }

  async function submit(event) {
    event.preventDefault();
    if (busy || button.disabled) return;
    const empty = [name, password].find((input) => input.value.trim() === '');
    if (empty) {
      tell(empty === name ? 'Write your name.' : 'Write your password.');
      return empty.focus();
    }
    busy = true;
    try {
      enter(await api.signIn(name.value.trim(), password.value));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed(error);
    } finally {
      busy = false;
    }
  }

  /** @param {Failure} error */
  function failed({ code, message, wait }) {
    if (wait > 0) return hold(wait);
    if (code === 'offline') return tell('The server does not answer. Nothing is wrong with what you wrote: try again in a moment.');
    password.value = '';
    password.focus();
    tell(code === 'refused' ? 'The name or the password is wrong, or you may not sign in any more. An admin can say which, and set a new password.' : message);
  }

  const elsewhere = () => {
    leaveToSignIn();
    stowDrafts(known);
    location.assign('oidc/start');
  };
  return {
    nodes: [
      title,
      known ? el('p', {}, 'Sign in again to go on where you were. What you have typed is kept.') : ended ? el('p', {}, 'It may have run out, or the server does not use this link any more. Sign in with your name.') : null,
      unasked ? el('p', { class: 'notice' }, 'The link had a sign-in in it that was not begun in this tab. It was not used: it may be that of somebody else. Sign in here.') : null,
      problem,
      el('form', { class: 'sign-in', novalidate: true, on: { submit } },
        el('div', { class: 'field' }, el('label', { for: name.id }, 'Name'), name),
        el('div', { class: 'field' }, el('label', { for: password.id }, 'Password'), password),
        button),
      oidc ? el('button', { type: 'button', on: { click: elsewhere } }, 'Sign in with ', visible(oidc.name, { line: true })) : null,
      el('p', { class: 'muted' }, 'No name, or the password is forgotten? Ask whoever runs this server.'),
    ].filter(Boolean),
    /** Whoever was typing something else does not type it into these fields. */
    focus: () => (known ? title : name).focus(),
  };
}

/** @param {number} seconds */
function waiting(seconds) {
  if (seconds < 120) return `${Math.max(seconds, 0)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
