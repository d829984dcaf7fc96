// Questions of the agent to a person, as a form. The answers become part of the input.

import { el, newId } from './dom.js';
import { untrusted } from './untrusted.js';
import { visible } from './visible.js';

/** @type {HTMLFormElement|null} the form that is on the page */
let current = null;

/**
 * @param {import('./state.js').Detail} detail
 * @param {() => void} send
 */
export function questions(detail, send) {
  current = null;
  if (!detail.questions?.length) return null;
  const open = detail.state === 'pending';
  const form = el('form', { id: 'questions', on: { submit: (event) => { event.preventDefault(); send(); } } }, ...detail.questions.map((question, i) => one(question, i, open)));
  if (open) current = form;
  return untrusted(open ? 'The agent asks you' : 'The agent asked', form);
}

function one(question, i, open) {
  const name = `q${i}`;
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const own = newId();
  const choices = (question.options ?? []).map((option, n) => choice(type, name, String(n), open, visible(option.label, { line: true }), option.description ? visible(option.description) : null));
  const words = el('input', { type: 'text', id: own, name: `${name}-words`, autocomplete: 'off', disabled: !open, 'aria-label': `Other answer to question ${i + 1}`, placeholder: 'Other: in your own words' });
  return el('fieldset', { class: 'question', 'data-several': question.multiSelect ? 'yes' : 'no' },
    el('legend', { class: 'told' }, `${i + 1}. `, visible(question.question)),
    el('p', { class: 'muted' }, question.header ? visible(question.header, { line: true }) : null, question.header ? ' · ' : '', question.multiSelect ? 'one or more answers' : 'one answer'),
    el('div', { class: 'choices' }, ...choices, words));
}

function choice(type, name, value, open, label, more) {
  return el('label', { class: 'choice' }, el('input', { type, name, value, disabled: !open }), el('span', { class: 'told' }, label), more ? el('span', { class: 'more told' }, more) : null);
}

/**
 * The answers as the API takes them, NUMBER=ANSWER; the field to go to when one is missing.
 * @param {import('./state.js').Detail} detail
 * @returns {{answers: string[], missing: HTMLElement|null}}
 */
export function answers(detail) {
  /** @type {string[]} */
  const all = [];
  for (const [i, question] of detail.questions.entries()) {
    const chosen = [...(current?.querySelectorAll(`input[name="q${i}"]:checked`) ?? [])].map((input) => question.options[Number(/** @type {HTMLInputElement} */ (input).value)].label);
    const words = /** @type {HTMLInputElement|null} */ (current?.querySelector(`input[name="q${i}-words"]`) ?? null);
    const own = words?.value.trim() ?? '';
    // Own words take the place of the one choice that is possible.
    const given = own === '' ? chosen : question.multiSelect ? [...chosen, own] : [own];
    if (given.length === 0) return { answers: [], missing: current?.querySelector(`input[name="q${i}"]`) ?? words };
    all.push(...given.map((text) => `${i + 1}=${text}`));
  }
  return { answers: all, missing: null };
}
