// Sentences that assent wrote about a call. What it took from the input stands between
// backquotes, and is shown as such: nothing of it may look like the words of assent.

import { el } from './dom.js';
import { visible } from './visible.js';

/** @param {string} text @returns {DocumentFragment} */
export function sentence(text) {
  return inTurns(pieces(String(text ?? '')));
}

/**
 * The prose and the quotations of a sentence in turns. A quotation begins and ends with as
 * many backquotes as do not stand together in it; if these are more than one, with a blank
 * inside of them. A sentence that was not written so is a quotation as a whole.
 * @param {string} text
 */
function pieces(text) {
  const all = [];
  let from = 0;
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', from)) {
    const [fence] = /** @type {RegExpExecArray} */ (/^`+/.exec(text.slice(at)));
    const blank = fence.length > 1 ? ' ' : '';
    const begin = at + fence.length + blank.length;
    const end = text.indexOf(blank + fence, begin);
    if (!text.startsWith(fence + blank, at) || end < 0) return ['', text];
    all.push(text.slice(from, at), text.slice(begin, end));
    from = end + blank.length + fence.length;
    if (text[from] === '`') return ['', text];
  }
  return [...all, text.slice(from)];
}

/** A reason of the rules. It quotes at most once, and everything that may belong to it is shown so. */
export function reason(text) {
  const source = String(text ?? '');
  const [begin, end] = [source.indexOf('`'), source.lastIndexOf('`')];
  return inTurns(begin < end ? [source.slice(0, begin), source.slice(begin + 1, end), source.slice(end + 1)] : [source]);
}

/** @param {string[]} parts prose and quotations in turns */
function inTurns(parts) {
  const shown = document.createDocumentFragment();
  parts.forEach((text, i) => {
    const part = visible(text, { line: true });
    shown.append(i % 2 === 1 ? el('code', { class: 'exact' }, part) : part);
  });
  return shown;
}

const states = {
  pending: 'waits', approved: 'approved', denied: 'denied', expired: 'expired', cancelled: 'cancelled', running: 'running', done: 'done', failed: 'failed', handed: 'handed over', refused: 'denied', unknown: 'unknown, look', ran: 'ran', over: 'over',
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

// What is refused in the end is so whatever was edited.
const unedited = ['pending', 'denied', 'refused', 'cancelled', 'expired'];

/** @param {{state: string, edited_sentence?: string}} item */
export function stateBadge({ state, edited_sentence: edited }) {
  const more = edited && !unedited.includes(state) ? `${state === 'approved' ? '' : ','} as edited` : '';
  return el('span', { class: 'state', 'data-state': state }, stateWord(state), more);
}
