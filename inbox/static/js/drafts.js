// What somebody has typed for a call and not sent. It is there again when the dialog is opened
// once more: Esc throws nothing away, nor does a sign-in that ends.

/** @type {Map<string, Map<string, any>>} by the call and the kind of the dialog */
const drafts = new Map();
const most = 50;

export function draft(id, kind) {
  return drafts.get(id)?.get(kind);
}

export function keepDraft(id, kind, value) {
  const kept = drafts.get(id) ?? new Map();
  drafts.delete(id);
  drafts.set(id, kept.set(kind, value));
  if (drafts.size > most) drafts.delete(/** @type {string} */ (drafts.keys().next().value));
}

/** It was answered: nobody needs them any more. */
export function dropDrafts(id) {
  drafts.delete(id);
}

const key = 'assent-drafts';

/** Somebody leaves the page to sign in elsewhere, and comes back. @param {string} who they are; empty when nobody was here */
export function stowDrafts(who) {
  if (who && drafts.size > 0) sessionStorage.setItem(key, JSON.stringify({ who, drafts: [...drafts].map(([id, kinds]) => [id, [...kinds]]) }));
}

/** They are back; what somebody else has typed is nothing to them. @param {string} who */
export function fetchDrafts(who) {
  const stowed = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  sessionStorage.removeItem(key);
  if (stowed?.who !== who) return;
  for (const [id, kinds] of stowed.drafts) if (!drafts.has(id)) drafts.set(id, new Map(kinds));
}
