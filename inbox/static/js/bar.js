// The bar with the answers. Its buttons keep their places; what is not possible now is
// switched off.

import { answerable, approvable } from './answer.js';
import { canApproveChosen } from './batch.js';
import { byId, el } from './dom.js';
import { canEdit } from './edit.js';
import { canAddRule, whyNoRule } from './rule.js';
import { settled } from './select.js';
import { state } from './state.js';
import { escaped } from './visible.js';

/** @type {{node: any, can: () => boolean, shown?: () => boolean, why?: () => string}[]} */
const buttons = [];
/** @type {any} */
let approveWords;
/** @type {any} */
let chosenWords;

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
  const answersNow = () => !unknown();
  byId('bar').append(
    el('div', { class: 'answers' },
      button('A', approveWords, answering(actions.approve), approvable, { kind: 'primary', shown: answersNow }),
      button('D', 'Deny', answering(actions.deny), answerable, { kind: 'danger', shown: answersNow }),
      button('E', 'Edit', answering(actions.edit), canEdit, { shown: answersNow }),
      button('R', 'Approve + rule', answering(actions.rule), canAddRule, { shown: answersNow, why: whyNoRule }),
      button('', 'It ran', answering(() => actions.resolve(true)), () => state.connection === 'live', { shown: unknown }),
      button('', 'It did not run', answering(() => actions.resolve(false)), () => state.connection === 'live', { shown: unknown })),
    el('span', { class: 'gap' }),
    el('div', { class: 'batch' }, button('Shift+A', chosenWords, answering(actions.batch), canApproveChosen)),
    el('div', { class: 'walk' }, button('K', 'Previous', actions.previous, () => true, { kind: 'quiet' }), button('J', 'Next', actions.next, () => true, { kind: 'quiet' })));
}

export function drawBar() {
  approveWords.textContent = state.detail?.questions?.length ? 'Send answers' : 'Approve once';
  chosenWords.textContent = state.chosen.size > 0 ? `Approve chosen (${state.chosen.size})` : 'Approve chosen';
  byId('bar').classList.toggle('choosing', state.chosen.size > 0);
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
