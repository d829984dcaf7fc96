// Edit before approve. With every change the server judges the new input again: whether the
// tool takes it, what the rules say, what it would do, and its new digest.

import * as api from './api.js';
import { Failure } from './api.js';
import { approvable, approve } from './answer.js';
import { shortDigest } from './call.js';
import { confirmField } from './confirm.js';
import { actions, showDialog } from './dialog.js';
import { diff, fileChange } from './diff.js';
import { el } from './dom.js';
import { draft, keepDraft } from './drafts.js';
import { editor } from './fields.js';
import { placesField } from './places.js';
import { reasonField } from './reason.js';
import { riskBadge, sentence } from './sentence.js';
import { state } from './state.js';
import { severalInDialog } from './terms.js';
import { untrusted } from './untrusted.js';
import { visible } from './visible.js';

const pause = 250;

export function canEdit() {
  return approvable() && Boolean(state.detail?.editable) && !state.detail?.questions?.length;
}

export function openEdit() {
  const detail = state.detail;
  if (!detail || !canEdit()) return;
  const fields = editor(detail, changed, draft(detail.id, 'edit') ?? {});
  const outcome = el('div', { class: 'call', 'aria-live': 'polite' }, el('p', { class: 'muted' }, 'Nothing is changed yet.'));
  const button = el('button', { type: 'submit', class: 'primary', disabled: true }, 'Approve as edited');
  const confirmPlace = el('div');
  let confirm = confirmField(null, () => {});
  let timer = 0;
  let asked = 0;
  /** @type {string|null} the text that was found to be good */
  let good = null;
  /** @type {string|undefined} what it was found to do to a file */
  let change;
  const leads = placesField(detail.places);
  const why = reasonField(detail);

  const dialog = showDialog({
    title: 'Edit, then approve', broad: true, about: detail,
    submit: () => {
      const text = fields.text();
      if (good === null || text !== good || !confirm.ok() || !why.ok() || !leads.meant()) return;
      approve({ ...why.given(), places: leads.places(), change, ...(confirm.word() !== undefined && { confirm: confirm.word() }) }, { input: good, dialog, shown: detail });
    },
    inside: [el('p', { class: 'muted' }, detail.asker ? 'The agent is given your input in place of its own.' : 'The agent is not told that a person has changed its call: it sees only the result.'), untrusted('The input of the agent, for you to change', fields.node), outcome, severalInDialog(detail), why.node, confirmPlace, leads.node, actions(button)],
  });
  fields.focus();
  if (draft(detail.id, 'edit')) changed();

  function settle() {
    button.disabled = good === null || !confirm.ok();
  }

  function changed() {
    keepDraft(detail.id, 'edit', fields.values());
    good = null;
    settle();
    clearTimeout(timer);
    timer = window.setTimeout(check, pause);
  }

  async function check() {
    asked++;
    const turn = asked;
    const text = fields.text();
    const problem = fields.problem();
    if (problem) return fault(problem);
    let verdict;
    try {
      verdict = await api.check(detail.id, text);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (turn === asked) fault(visible(error.message));
      return;
    }
    if (turn !== asked) return;
    outcome.replaceChildren(...told(verdict));
    leads.show(verdict.valid ? verdict : null);
    change = verdict.change?.digest;
    if (verdict.valid && verdict.digest !== detail.digest) good = text;
    askWord(good === null ? null : verdict.confirm);
    settle();
  }

  /** A word is asked for only where it leads to a yes. */
  function askWord(wanted) {
    confirm = confirmField(wanted, settle);
    confirmPlace.replaceChildren(...(confirm.node ? [confirm.node] : []));
  }

  function fault(text) {
    outcome.replaceChildren(el('p', { class: 'notice bad' }, text));
    leads.show(null);
    askWord(null);
  }

  function told(verdict) {
    if (verdict.digest === detail.digest) return [el('p', { class: 'muted' }, 'This is the input as it was.')];
    const denied = verdict.rules?.decision === 'deny';
    return [
      verdict.valid ? null : el('p', { class: 'notice bad' }, el('b', {}, denied ? 'The rules deny this input.' : 'The tool does not take this input.'), visible(verdict.problem)),
      verdict.sentence ? el('p', {}, sentence(verdict.sentence)) : null,
      verdict.valid ? el('p', { class: 'facts' }, verdict.risk ? riskBadge(verdict.risk) : null, el('span', { title: verdict.digest }, 'new digest ', el('code', {}, shortDigest(verdict.digest))), el('span', {}, `rules: ${verdict.rules?.decision ?? 'not known'}`)) : null,
      verdict.edit?.length ? untrusted('Your change to the input', diff(verdict.edit, 'From the input of the agent to yours')) : null,
      verdict.change ? untrusted('The file after it', fileChange(verdict.change)) : null,
    ].filter(Boolean);
  }
}
