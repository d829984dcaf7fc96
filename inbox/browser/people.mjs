// The people of a fake server: who they are, how they sign in, and what they may do.

import { randomBytes } from 'node:crypto';
import { Refusal } from './refusal.mjs';

/** What everybody in these tests has for a password. */
export function passwordOf(name) {
  return `the password of ${name}`;
}

export class People {
  /** @type {Map<string, string>} names by the tokens of their sign-ins */
  #tokens = new Map();
  /** How many seconds everybody has to wait before the next try. */
  hold = 0;

  /**
   * @param {Record<string, {role: string, shown?: string, for?: string[]}>} known by their names
   * @param {string} [oidc] the name of another server at which one can sign in
   */
  constructor(known, oidc = '') {
    this.known = known;
    this.oidc = oidc;
  }

  ways() {
    return { people: true, oidc: this.oidc ? { name: this.oidc } : null };
  }

  signIn({ name, password }) {
    if (this.hold > 0) throw Object.assign(new Refusal(429, 'busy', `too many tries to sign in: wait ${this.hold}s and try again`), { wait: this.hold });
    if (!Object.hasOwn(this.known, name) || password !== passwordOf(name)) throw new Refusal(401, 'forbidden', 'the name or the password is wrong (an admin can set a new password, and say whether you may sign in)');
    const { role, shown = name } = this.known[name];
    return { token: this.enter(name), name, shown, role, until: '2026-11-17T09:30:00Z' };
  }

  /** A sign-in of somebody, by whichever way. */
  enter(name) {
    const token = `asp_${randomBytes(16).toString('base64url')}`;
    this.#tokens.set(token, name);
    return token;
  }

  /** Ends the sign-ins of somebody. */
  end(name) {
    for (const [token, of] of this.#tokens) if (of === name) this.#tokens.delete(token);
  }

  /** The tokens of those who are signed in. */
  tokens() {
    return [...this.#tokens.keys()];
  }

  /** Whom a token belongs to; undefined when nobody is signed in with it. */
  of(token) {
    const name = this.#tokens.get(token);
    return name && { name, people: true, for: [], ...this.known[name], may: may(this.known[name].role) };
  }
}

export function may(role) {
  return { answer: role !== 'viewer', manage: role === 'admin' };
}

/** Why somebody may not say yes to a call; empty when they may. */
export function whyNot(me, ticket) {
  if (ticket.mayNotWhy) return ticket.mayNotWhy;
  if (!me.may.answer) return `${me.name} is a viewer, and viewers answer nothing: somebody with the role approver has to.`;
  if (ticket.terms?.not_requester && isRequester(me, ticket)) return 'You have asked for this call yourself, and the settings want somebody else to approve it.';
  return '';
}

function isRequester(me, { requester = '' }) {
  return requester.toLowerCase().split('@')[0] === me.name.toLowerCase();
}

/** What a call says about its terms to somebody who looks at it. */
export function termsOf(me, t) {
  const why = whyNot(me, t);
  return {
    requester: t.requester, terms: t.terms, votes: (t.votes ?? []).map((vote) => ({ ...vote, same: vote.digest === t.digest })),
    may_answer: why === '', ...(why && { may_not_why: why }),
  };
}

/** Refuses a yes for which the terms do not hold. */
export function mustHold(me, t, { reason = '' }) {
  const why = whyNot(me, t);
  if (why) throw new Refusal(403, 'forbidden', why);
  if (t.terms?.reason && reason.trim() === '') throw new Refusal(400, 'invalid', 'a yes needs a reason');
}
