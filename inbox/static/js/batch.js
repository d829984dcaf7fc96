// One answer for several calls, which were chosen one by one. Never for high risk.

import * as api from './api.js';
import { Failure } from './api.js';
import { actions, closeDialog, showDialog } from './dialog.js';
import { announce, el, plural } from './dom.js';
import { replaceItem } from './queue.js';
import { mayJoin } from './row.js';
import { riskBadge, sentence } from './sentence.js';
import { loadDetail } from './select.js';
import { set, state } from './state.js';
import { visible } from './visible.js';

const most = 50;

function chosenItems() {
  return state.items.filter((item) => state.chosen.has(item.id) && mayJoin(item));
}

export function canApproveChosen() {
  return state.connection === 'live' && !state.answering && chosenItems().length > 0;
}

export function openBatch() {
  const items = chosenItems();
  if (!canApproveChosen()) return;
  const kinds = new Set(items.map((item) => item.kin).filter(Boolean));
  const several = kinds.size > 1 ? ['These calls are not of the same sort: ', ...[...kinds].flatMap((kin, i) => [i > 0 ? ', ' : '', el('code', { class: 'exact' }, visible(kin, { line: true }))]), '. Choose calls that are alike, and answer the others one by one.'] : [];
  const problem = items.length > most ? [`At most ${most} calls are approved at once.`] : several;
  const button = el('button', { type: 'submit', class: 'primary', disabled: problem.length > 0 }, `Approve ${plural(items.length, 'call')}`);
  const dialog = showDialog({
    title: `Approve ${plural(items.length, 'chosen call')}`, broad: true,
    submit: () => send(items, dialog),
    inside: [
      el('p', { class: 'muted' }, 'Each runs once. There is no undo for several at once.'),
      el('ol', { class: 'past' }, ...items.map((item) => el('li', {}, el('span', {}, riskBadge(item.risk)), el('span', { class: 'sentence' }, sentence(item.sentence), el('span', { class: 'place muted' }, 'in ', el('code', { class: 'exact' }, visible(item.cwd, { line: true }))))))),
      problem.length > 0 ? el('p', { class: 'notice' }, ...problem) : null,
      actions(button),
    ],
  });
  button.focus();
}

async function send(items, dialog) {
  if (state.answering) return;
  if (state.connection !== 'live') return dialog.fail('The connection to the server is lost. Nothing was sent.');
  set({ answering: true });
  try {
    const { results } = await api.batch({ approve: items.map(({ id, digest, places }) => ({ id, digest, ...(places && { places }) })) });
    const good = results.filter((result) => result.ok).map((result) => result.id);
    for (const id of good) replaceItem({ id, state: 'approved' });
    const bad = results.filter((result) => !result.ok);
    if (bad.length === 0) closeDialog();
    else dialog.fail(`${plural(good.length, 'call')} approved, ${bad.length} not: ${bad.map(({ id, error }) => `${id}: ${error?.message ?? error ?? 'refused'}`).join(' ')}`);
    announce(`${plural(good.length, 'call')} approved.`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    dialog.fail(error.code === 'offline' ? 'The server has not answered, so nobody knows what it took. Load the list again.' : error.message);
  } finally {
    set({ answering: false });
    loadDetail({ quiet: true });
  }
}
