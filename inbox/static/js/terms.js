// What has to be so before a yes counts: how many people, whether with a reason, and not by the
// one who has asked. And what others have said so far.

import { el, plural } from './dom.js';
import { state } from './state.js';
import { time } from './time.js';
import { visible } from './visible.js';
import { deputyOf, isMe, listed, mayApprove } from './who.js';

/** How many people have to approve a call. @param {import('./state.js').Detail} detail */
function need({ terms }) {
  return Math.max(1, terms?.approvers ?? 1);
}

/** Every yes to what is shown. @param {import('./state.js').Detail} detail */
function counted({ votes = [] }) {
  return votes.filter((vote) => vote.same);
}

/** A yes needs a reason. @param {import('./state.js').Detail} detail */
export function needsReason({ terms }) {
  return Boolean(terms?.reason);
}

/** The words for a yes: which of several it would be, while one is waited for. @param {import('./state.js').Detail|null} detail */
export function approveLabel(detail) {
  if (detail?.state !== 'pending' || need(detail) < 2) return 'Approve once';
  return `Approve (${Math.min(counted(detail).filter(({ by }) => !isMe(by)).length + 1, need(detail))} of ${need(detail)})`;
}

/** Whoever looks at the page has said yes to what is shown, and others are missing. @param {import('./state.js').Detail|null} detail */
export function hasVoted(detail) {
  return detail?.state === 'pending' && counted(detail).some(({ by }) => isMe(by));
}

/** Who asked for it. @param {import('./state.js').Detail} detail */
export function requesterFact({ requester }) {
  return requester ? el('span', {}, 'asked for by ', el('b', { class: 'name' }, visible(requester, { line: true }))) : null;
}

/**
 * @param {import('./state.js').Detail} detail
 * @param {() => void} withdraw takes the own yes back
 */
export function termsNotices(detail, withdraw) {
  if (detail.state !== 'pending') return [];
  return [several(detail, withdraw), own(detail), state.me && mayApprove() ? deputyOf(state.me) : null, reasonLine(detail)];
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function several(detail, withdraw) {
  const votes = detail.votes ?? [];
  if (need(detail) < 2 && votes.length === 0) return null;
  const missing = need(detail) - counted(detail).length;
  const mine = votes.find(({ by }) => isMe(by));
  return el('div', { class: 'notice several' },
    el('b', {}, `Needs ${plural(need(detail), 'person', 'people')}: ${votes.length === 0 ? 'nobody has approved yet.' : missing > 0 ? `${words[missing] ?? missing} more ${missing === 1 ? 'is' : 'are'} needed.` : 'the last answer is on its way.'}`),
    votes.length > 0 ? el('ul', { class: 'votes' }, ...votes.map(voteLine)) : null,
    mine ? el('p', {}, el('button', { type: 'button', class: 'link', on: { click: withdraw } }, 'Take your yes back')) : null);
}

/** @param {{by: string, at: string, reason?: string, same: boolean}} vote */
function voteLine({ by, at, reason, same }) {
  return el('li', { 'data-same': same ? 'yes' : 'no' },
    ...listed([by]), same ? ' has approved (' : ' has approved something else than what is shown, which does not count here (', time(at, 'at'), reason ? ', reason: ' : '', reason ? el('q', { class: 'told' }, visible(reason, { line: true })) : '', ')');
}

/** Who has approved a call beside the one whose yes was the last. @param {import('./state.js').Detail} detail */
export function others({ votes = [] }) {
  return votes.length > 0 ? el('ul', { class: 'votes' }, ...votes.map((vote) => voteLine({ ...vote, same: true }))) : null;
}

/** Somebody looks at what they have asked for themselves, as a person or as "account@host"; others may have as well. */
function own({ requester = '', terms }) {
  if (!requester.split(',').some((one) => isMe(one.trim()) || isMe(one.trim().split('@')[0]))) return null;
  return el('p', { class: 'notice' }, el('b', {}, 'You have asked for this yourself.'), terms?.not_requester ? 'Somebody else has to approve it.' : 'Look at it as if somebody else had.');
}

function reasonLine(detail) {
  return needsReason(detail) && mayApprove() ? el('p', { class: 'muted' }, 'A yes needs a reason, which is kept on record.') : null;
}

/** What is said in a dialog whose yes is one of several. @param {import('./state.js').Detail} detail */
export function severalInDialog(detail) {
  return need(detail) > 1 ? el('p', { class: 'muted' }, `It needs ${need(detail)} people who approve the same. What you change here counts together with those who approve it as you leave it.`) : null;
}
