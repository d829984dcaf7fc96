// The reason for a yes, where one is needed. It is never sent blank.

import { el, newId } from './dom.js';
import { draft, keepDraft } from './drafts.js';
import { needsReason } from './terms.js';

/**
 * @param {import('./state.js').Detail} detail
 * @returns {{node: any, given: () => {reason?: string}, ok: () => boolean}} ok also shows what is missing
 */
export function reasonField(detail) {
  if (!needsReason(detail)) return { node: null, given: () => ({}), ok: () => true };
  const id = newId();
  const missing = el('p', { class: 'notice bad', id: `${id}-missing`, role: 'alert', hidden: true });
  const tell = (blank) => {
    missing.hidden = !blank;
    missing.textContent = blank ? 'Write a reason: it is kept on record with your yes.' : '';
    if (blank) text.setAttribute('aria-invalid', 'true');
    else text.removeAttribute('aria-invalid');
  };
  const text = el('textarea', {
    id, rows: '3', maxlength: '4000', 'aria-describedby': `${id}-missing`,
    on: { input: () => { keepDraft(detail.id, 'yes', text.value); if (text.value.trim() !== '') tell(false); } },
  });
  text.value = draft(detail.id, 'yes') ?? '';
  return {
    node: el('div', { class: 'field' }, el('label', { for: id }, 'Reason for the yes, which is kept on record'), text, missing),
    given: () => ({ reason: text.value.trim() }),
    ok: () => {
      const blank = text.value.trim() === '';
      tell(blank);
      if (blank) text.focus();
      return !blank;
    },
  };
}
