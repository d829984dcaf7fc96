// Who looks at the page, and what they may do.

import * as api from './api.js';
import { Failure } from './api.js';
import { actions, showDialog } from './dialog.js';
import { byId, el } from './dom.js';
import { set, state } from './state.js';
import { forgetToken } from './token.js';
import { visible } from './visible.js';

const roles = {
  viewer: 'You see everything and may comment, but you answer nothing. An admin can give you another role.',
  approver: 'You may answer calls.',
  admin: 'You may answer calls, and say who else may.',
};

/** Reads who looks at the page. It may have changed while the connection was lost. */
export async function loadMe() {
  try {
    const me = await api.me();
    if (JSON.stringify(me) !== JSON.stringify(state.me)) set({ me, place: me.state }); // what is not changed is not drawn anew
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // the rest of the page says when the server is gone
  }
}

/** Whoever looks at the page may answer calls at all. The server judges it again. */
export function answers() {
  return state.me?.may?.answer !== false;
}

/** They may say yes to the call on the page. A no is for everybody who may answer. */
export function mayApprove() {
  return answers() && state.detail?.may_answer !== false;
}

/** Why they may not; empty when they may, or when nothing waits for a yes. */
export function whyNot() {
  const { state: now = '', may_not_why: why = '' } = state.detail ?? {};
  if (!answers()) return now === 'pending' && why || `You are signed in as a ${state.me?.role ?? 'viewer'}, so you answer nothing.`;
  return now === 'pending' && !mayApprove() ? why || 'You may not approve this call.' : '';
}

/** A name that stands somewhere is that of whoever looks at the page. @param {string} [name] "ana", or "ana for ben" */
export function isMe(name = '') {
  const own = state.me?.people ? state.me.name.toLowerCase() : '';
  const given = name.toLowerCase();
  return own !== '' && (given === own || given.startsWith(`${own} for `));
}

/** Names in a row: ana, ben and cy. @param {string[]} names */
export function listed(names) {
  return names.flatMap((name, i) => [i === 0 ? '' : i === names.length - 1 ? ' and ' : ', ', el('b', { class: 'name' }, visible(name, { line: true }))]);
}

/** The corner with the name. Without people there is nobody to sign out. */
export function drawMe() {
  const button = byId('show-me');
  const me = state.me;
  button.hidden = !me?.people || state.connection === 'refused';
  if (!me?.people) return;
  button.replaceChildren(el('span', { class: 'wide' }, visible(me.name, { line: true }), me.role ? `, ${me.role}` : ''), el('span', { class: 'narrow' }, 'You'));
}

export function openMe() {
  const me = state.me;
  if (!me) return;
  const button = el('button', { type: 'submit', class: 'danger' }, 'Sign out');
  const dialog = showDialog({
    title: 'Signed in',
    submit: () => leave(dialog),
    inside: [
      el('p', {}, 'You are ', ...listed([me.name]), ...(me.shown && me.shown !== me.name ? [' (', visible(me.shown, { line: true }), ')'] : []), me.role ? `, ${me.role}` : '', '.'),
      el('p', { class: 'muted' }, me.role === 'viewer' && answers() ? '' : roles[me.role ?? ''] ?? ''),
      deputyOf(me),
      actions(button),
    ],
  });
}

/** For whom they answer while those are away. @param {import('./state.js').Me} me */
export function deputyOf(me) {
  return me.for?.length ? el('p', { class: 'muted' }, 'You answer for ', ...listed(me.for), '.') : null;
}

async function leave(dialog) {
  try {
    await api.signOut();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'refused') return dialog.fail(`You are still signed in. ${error.message} Try again; a tab that is closed forgets the sign-in, too.`);
  }
  forgetToken();
  location.reload();
}
