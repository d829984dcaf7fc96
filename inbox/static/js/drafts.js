// What somebody has typed for a call and not sent. It is there again when the dialog is opened
// once more: Esc throws nothing away.

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
