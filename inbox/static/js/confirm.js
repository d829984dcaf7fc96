// What is of high risk takes more than a key: the person types the name of what it is about.

import { el, newId } from './dom.js';
import { visible } from './visible.js';

/**
 * @param {{word: string, why: string}|null|undefined} confirm
 * @param {() => void} changed
 * @returns {{node: any, word: () => string|undefined, ok: () => boolean}}
 */
export function confirmField(confirm, changed) {
  if (!confirm) return { node: null, word: () => undefined, ok: () => true };
  const id = newId();
  const wrong = el('p', { class: 'notice bad', id: `${id}-wrong`, role: 'alert', hidden: true });
  const right = () => input.value.trim() === confirm.word.trim();
  /** Whoever sends another word is told, not left waiting. */
  const tell = () => {
    wrong.hidden = right();
    wrong.replaceChildren(...(right() ? [] : ['That is not the word. Type ', el('span', { class: 'word' }, visible(confirm.word, { line: true })), ', as it is written here.']));
    if (right()) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  const input = el('input', {
    type: 'text', id, class: 'mono', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': `${id}-why ${id}-wrong`,
    on: { input: () => { if (!wrong.hidden) tell(); changed(); }, keydown: ({ key }) => { if (key === 'Enter') tell(); } },
  });
  return {
    node: el('div', { class: 'field' }, el('p', { class: 'notice bad', id: `${id}-why` }, el('b', {}, 'High risk'), visible(confirm.why)), el('label', { for: id }, 'Type ', el('span', { class: 'word' }, visible(confirm.word, { line: true })), ' to approve'), input, wrong),
    word: () => input.value.trim(), // keyboards of phones add a blank
    ok: right,
  };
}
