// Questions of the agent to a person, as a form. The answers become part of the input. A form
// is made once for a call, so what is filled in stays whatever else the page draws anew, also
// when somebody looks at another call meanwhile.

import { el, newId } from './dom.js';
import { untrusted } from './untrusted.js';
import { visible } from './visible.js';
import { mayApprove } from './who.js';

/** @type {Map<string, any>} the forms by the digests of their calls */
const forms = new Map();
const most = 50;

/**
 * @param {import('./state.js').Detail} detail
 * @param {() => void} send
 */
export function questions(detail, send) {
  if (!detail.questions?.length) return null;
  const open = detail.state === 'pending' && mayApprove();
  const form = formOf(detail, send);
  for (const input of form.querySelectorAll('input')) {
    if (input.type === 'text') input.readOnly = !open; // what was typed can be copied
    else input.disabled = !open;
  }
  return untrusted(open ? 'The agent asks you' : detail.state === 'pending' ? 'The agent asks' : 'The agent asked', form);
}

function formOf(detail, send) {
  const key = `${detail.id} ${detail.digest}`;
  let form = forms.get(key);
  if (!form) {
    form = el('form', { id: 'questions', on: { submit: (event) => { event.preventDefault(); send(); }, input: ({ target }) => filled(target) } }, ...detail.questions.map(one));
    forms.set(key, form);
    if (forms.size > most) forms.delete(/** @type {string} */ (forms.keys().next().value));
  }
  return form;
}

function one(question, i) {
  const name = `q${i}`;
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const missing = newId();
  const choices = (question.options ?? []).map((option, n) => choice(type, name, String(n), visible(option.label, { line: true }), option.description ? visible(option.description) : null));
  const quoted = newId();
  const words = el('input', { type: 'text', name: `${name}-words`, autocomplete: 'off', 'aria-label': `Other answer to question ${i + 1}`, 'aria-describedby': question.multiSelect ? `${missing} ${quoted}` : missing, placeholder: question.multiSelect ? 'Other: in your own words' : 'in your own words' });
  const own = question.multiSelect
    ? [words, el('p', { class: 'muted quoted', id: quoted, role: 'status', hidden: true }, 'The agent reads commas between answers, so these words are sent in quotation marks, as one answer.')]
    : [choice(type, name, other, 'Other', null), words];
  return el('fieldset', { class: 'question', 'data-several': question.multiSelect ? 'yes' : 'no' },
    el('legend', { class: 'told' }, `${i + 1}. `, visible(question.question)),
    el('p', { class: 'muted' }, question.header ? visible(question.header, { line: true }) : null, question.header ? ' · ' : '', question.multiSelect ? 'one or more answers' : 'one answer'),
    el('p', { class: 'notice bad missing', id: missing, role: 'alert', hidden: true }),
    el('div', { class: 'choices' }, ...choices, ...own));
}

function choice(type, name, value, label, more) {
  return el('label', { class: 'choice' }, el('input', { type, name, value }), el('span', { class: 'told' }, label), more ? el('span', { class: 'more told' }, more) : null);
}

// The value of the choice that stands for own words.
const other = 'other';

/** Somebody has filled something in: own words take the place of the one choice that is possible. */
function filled(target) {
  const fieldset = target.closest('fieldset');
  mark(fieldset, false);
  const words = fieldset.querySelector('input[type="text"]');
  const instead = fieldset.querySelector(`input[value="${other}"]`);
  if (instead && target === words && words.value.trim() !== '') instead.checked = true;
  if (instead && target === instead && words.value === '') words.focus();
  const hint = fieldset.querySelector('.quoted');
  if (hint) hint.hidden = !words.value.includes(',');
}

/** Shows at a question that it has no answer yet, or not any more. */
function mark(fieldset, missing) {
  const notice = fieldset.querySelector('.missing');
  notice.hidden = !missing;
  notice.textContent = missing ? 'This question has no answer yet.' : '';
  const words = fieldset.querySelector('input[type="text"]');
  if (missing) words.setAttribute('aria-invalid', 'true');
  else words.removeAttribute('aria-invalid');
}

/**
 * The answers as the API takes them, NUMBER=ANSWER; the field to go to when one is missing.
 * @param {import('./state.js').Detail} detail
 * @returns {{answers: string[], missing: HTMLElement|null}}
 */
export function answers(detail) {
  const form = forms.get(`${detail.id} ${detail.digest}`);
  /** @type {string[]} */
  const all = [];
  /** @type {HTMLElement|null} */
  let missing = null;
  for (const [i, fieldset] of [...form.querySelectorAll('fieldset')].entries()) {
    const question = detail.questions[i];
    const checked = [...fieldset.querySelectorAll('input:checked')].map((input) => input.value);
    const chosen = checked.filter((value) => value !== other).map((value) => question.options[Number(value)].label);
    const words = fieldset.querySelector('input[type="text"]').value.trim();
    const own = question.multiSelect || checked.includes(other) ? words : ''; // else they are not what is chosen
    // The answers to one question are sent with commas between them.
    const given = own === '' ? chosen : [...chosen, question.multiSelect && own.includes(',') ? `"${own}"` : own];
    mark(fieldset, given.length === 0);
    if (given.length === 0) missing ??= fieldset.querySelector('input');
    all.push(...given.map((text) => `${i + 1}=${text}`));
  }
  return { answers: missing ? [] : all, missing };
}
