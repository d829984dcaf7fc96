// Sentences that assent wrote about a call. What it took from the input stands between
// backticks, and is shown as such.

import { el } from './dom.js';
import { visible } from './visible.js';

/** @param {string} text @returns {DocumentFragment} */
export function sentence(text) {
  const pieces = String(text ?? '').split('`');
  if (pieces.length % 2 === 0) return visible(text, { line: true });
  const shown = document.createDocumentFragment();
  pieces.forEach((piece, i) => {
    const part = visible(piece, { line: true });
    shown.append(i % 2 === 1 ? el('code', { class: 'exact' }, part) : part);
  });
  return shown;
}

const states = {
  pending: 'waits', approved: 'approved', denied: 'denied', expired: 'expired', cancelled: 'cancelled', running: 'running', done: 'done', failed: 'failed', refused: 'denied', unknown: 'unknown, look', ran: 'ran', over: 'over',
};

/** The word for a state. */
export function stateWord(state) {
  return states[state] ?? String(state);
}

const risks = { high: 'High risk', medium: 'Medium', low: 'Low' };

export function riskBadge(risk) {
  const known = Object.hasOwn(risks, risk) ? risk : 'high'; // what nobody has thought about counts as high
  return el('span', { class: 'risk', 'data-risk': known }, risks[known]);
}

export function stateBadge(state) {
  return el('span', { class: 'state', 'data-state': state }, stateWord(state));
}
