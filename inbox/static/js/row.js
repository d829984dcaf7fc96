// One row of a list. It keeps its place and its size when what it says changes.

import { el } from './dom.js';
import { lookers } from './presence.js';
import { riskBadge, sentence, stateBadge } from './sentence.js';
import { state, waits } from './state.js';
import { time } from './time.js';
import { escaped, visible } from './visible.js';
import { answers } from './who.js';

/** A call may be approved together with others. */
export function mayJoin(item) {
  return item.state === 'pending' && whyAlone(item) === '';
}

/** Why a call is answered on its own; empty when it can be approved together with others. */
function whyAlone({ tool, risk, shown }) {
  if (!answers()) return 'You may look, and answer nothing.';
  if (tool === 'AskUserQuestion') return 'A question is answered on its own.';
  if (risk !== 'low' && risk !== 'medium') return 'A call of high risk is answered on its own.';
  if (shown === 'elsewhere') return 'Open it: it leads to a file that its line does not name, or outside of its directory.';
  return shown === 'in_full' ? '' : 'Open it: its line does not show all of it.';
}

/**
 * @param {import('./state.js').Item} item
 * @param {object} actions
 * @param {(id: string) => void} actions.open
 * @param {((id: string) => void)|null} actions.choose null where there is nothing to choose
 */
export function row(item, actions) {
  const open = el('button', { type: 'button', class: 'open', on: { click: () => actions.open(item.id) } });
  const pick = actions.choose ? el('input', { type: 'checkbox', on: { change: () => actions.choose?.(item.id) } }) : null;
  const node = el('li', { class: pick ? 'row' : 'row plain', 'data-id': item.id }, pick ? el('label', { class: 'pick' }, pick) : null, open);
  fill(node, item);
  return node;
}

/** Shows the item as it is now. */
export function fill(node, item) {
  node.setAttribute('data-risk', item.risk);
  node.setAttribute('data-over', waits(item) ? 'no' : 'yes');
  const open = node.querySelector('.open');
  open.replaceChildren(
    el('span', { class: 'first' }, riskBadge(item.risk), el('span', { class: 'tool exact' }, visible(item.tool, { line: true })), time(item.since, 'age')),
    el('span', { class: 'sentence' }, sentence(item.edited_sentence ?? item.sentence)),
    el('span', { class: 'last' }, el('span', { class: 'place' }, visible(lastPart(item.cwd), { line: true })), needed(item), el('span', { class: 'lookers' }), item.state === 'pending' ? expiry(item) : stateBadge(item)));
  mark(node, item);
}

/** That a yes of one person is not enough, so that whoever has approved a call knows why it stays. */
function needed({ state: now, terms }) {
  const people = terms?.approvers ?? 1;
  return now === 'pending' && people > 1 ? el('span', { class: 'needed' }, `needs ${people} people`) : null;
}

function expiry(item) {
  return item.expires ? el('span', { class: 'state' }, time(item.expires, 'until')) : null;
}

/** Shows whether it is looked at, and whether it is chosen. */
export function mark(node, item) {
  const open = node.querySelector('.open');
  if (state.selected === item.id) open.setAttribute('aria-current', 'true');
  else open.removeAttribute('aria-current');
  const seen = lookers(item.id);
  node.querySelector('.lookers').replaceChildren(...(seen ? [seen] : []));
  const pick = node.querySelector('input');
  if (!pick) return;
  pick.checked = state.chosen.has(item.id);
  pick.disabled = !mayJoin(item);
  pick.setAttribute('aria-label', `Choose: ${escaped(item.sentence)}`);
  pick.title = item.state === 'pending' ? whyAlone(item) : '';
}

function lastPart(path) {
  return String(path ?? '').split('/').filter(Boolean).slice(-2).join('/');
}
