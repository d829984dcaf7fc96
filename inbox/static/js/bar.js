// The bar with the answers. Its buttons keep their places; what is not possible now is
// switched off.

import { approvable, deniable } from './answer.js';
import { canApproveChosen } from './batch.js';
import { byId, el } from './dom.js';
import { canEdit } from './edit.js';
import { canAddRule, whyNoRule } from './rule.js';
import { settled } from './select.js';
import { state } from './state.js';
import { approveLabel, hasVoted } from './terms.js';
import { escaped, visible } from './visible.js';
import { answers, whyNot } from './who.js';

/** @type {{node: any, can: () => boolean, shown?: () => boolean, why?: () => string}[]} */
const buttons = [];
/** @type {any} */
let approveWords;
/** @type {any} */
let chosenWords;
/** @type {any} what stands in place of the buttons for somebody who may not press them */
let whyNotLine;

/** A key that is held down presses a button once. @param {KeyboardEvent} event */
function once(event) {
  if (event.repeat && ['Enter', ' '].includes(event.key)) event.preventDefault();
}

/**
 * An answer is one click, at what has stood there for a while: the second click of a double one
 * may meet another call, or another file, than the person has read.
 * @param {() => void} action
 */
function answering(action) {
  return (/** @type {MouseEvent} */ event) => event.detail <= 1 && settled() && action();
}

/** @param {Record<string, () => void>} actions */
export function startBar(actions) {
  const unknown = () => state.detail?.state === 'unknown';
  const button = (key, label, action, can, { kind = '', shown = undefined, why = undefined } = {}) => {
    const node = el('button', { type: 'button', class: kind, on: { click: action, keydown: once } }, key ? el('kbd', { 'aria-hidden': 'true' }, key) : null, label);
    if (key) node.setAttribute('aria-keyshortcuts', key);
    buttons.push({ node, can, shown, why });
    return node;
  };
  approveWords = el('span', {}, 'Approve once');
  chosenWords = el('span', {}, 'Approve chosen');
  whyNotLine = el('p', { class: 'why-not', hidden: true });
  const live = () => state.connection === 'live';
  const approvesNow = () => !unknown() && whyNot() === '';
  const deniesNow = () => !unknown() && answers();
  const resolvesNow = () => unknown() && answers();
  byId('bar').append(
    el('div', { class: 'answers' },
      whyNotLine,
      button('A', approveWords, answering(actions.approve), () => approvable() && !hasVoted(state.detail), { kind: 'primary', shown: approvesNow }),
      button('D', 'Deny', answering(actions.deny), deniable, { kind: 'danger', shown: deniesNow }),
      button('E', 'Edit', answering(actions.edit), canEdit, { shown: approvesNow }),
      button('R', 'Approve + rule', answering(actions.rule), canAddRule, { shown: approvesNow, why: whyNoRule }),
      button('', 'It ran', answering(() => actions.resolve(true)), live, { shown: resolvesNow }),
      button('', 'It did not run', answering(() => actions.resolve(false)), live, { shown: resolvesNow })),
    el('span', { class: 'gap' }),
    el('div', { class: 'batch' }, button('Shift+A', chosenWords, answering(actions.batch), canApproveChosen, { shown: answers })),
    el('div', { class: 'walk' }, button('K', 'Previous', actions.previous, () => true, { kind: 'quiet' }), button('J', 'Next', actions.next, () => true, { kind: 'quiet' })));
}

export function drawBar() {
  approveWords.textContent = state.detail?.questions?.length ? 'Send answers' : approveLabel(state.detail);
  chosenWords.textContent = state.chosen.size > 0 ? `Approve chosen (${state.chosen.size})` : 'Approve chosen';
  byId('bar').classList.toggle('choosing', state.chosen.size > 0);
  whyNotLine.hidden = whyNot() === '';
  whyNotLine.replaceChildren(visible(whyNot(), { line: true }));
  for (const { node, can, shown, why } of buttons) {
    const focused = node === document.activeElement;
    node.disabled = !can();
    if (shown) node.hidden = !shown();
    const reason = why?.();
    if (reason) node.title = escaped(reason);
    else node.removeAttribute('title');
    if (focused && (node.disabled || node.hidden)) byId('call').focus({ preventScroll: true });
  }
}
