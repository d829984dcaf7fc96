// A server that speaks the API of the inbox and whose troubles can be made: slow answers, a
// lost connection, a token that is not known, somebody else who answers. It has no rules of
// its own: it says what the examples say.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { examples } from './examples.mjs';
import { lineDiff, pretty } from './lines.mjs';
import { may, mustHold, termsOf } from './people.mjs';
import { gone, nothing, Refusal, strict } from './refusal.mjs';

const pageDir = new URL('../static/', import.meta.url).pathname;
const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.svg': 'image/svg+xml' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const order = ['unknown', 'pending', 'approved', 'denied', 'expired', 'running'];
const risks = { high: 3, medium: 2, low: 1 };

export class Fake {
  token = randomBytes(32).toString('base64url');
  tickets = new Map();
  sessions = new Map();
  changes = [];
  streams = new Set();
  /** Who has which call open: {who, ticket, stream}, by the name of the window. */
  windows = new Map();
  /** What is wrong with the record of decisions. */
  recordProblem = '';
  /** @type {any} what the overview says beside the answers */
  overview = { running: [], today: null };
  /** Requests, as METHOD PATH, with their bodies. */
  requests = [];
  /** What an answer waits for, by the path. @type {(path: string) => Promise<void>|undefined} */
  until = () => undefined;
  down = false;
  /** For how long an answer can be taken back, in milliseconds. */
  undoFor = 5000;
  number = 0;
  /** Links of notifications: {ticket, used}, by their texts. */
  links = new Map();

  /** people are those who sign in; without them there is one token, and one name. */
  constructor({ now = () => Date.now(), who = 'ana', people = null } = {}) {
    this.now = now;
    this.people = people;
    this.me = { name: who, role: 'admin', may: may('admin'), for: [], people: false };
  }

  /** Who asks: with people, whoever the request that is being answered comes from. */
  get who() {
    return this.me.name;
  }

  /** @param {number} [port] one that it had before; any otherwise */
  async start(port = 0) {
    this.server = createServer((request, response) => this.#handle(request, response));
    await new Promise((done) => this.server.listen(port, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  get link() {
    return `${this.url}/#token=${this.token}`;
  }

  async stop() {
    this.cut();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  iso(ago = 0) {
    return new Date(this.now() - ago * 1000).toISOString();
  }

  /** Parks a call: the name of an example, or one with changes. */
  park(name, changes = {}) {
    const example = { ...examples[name], ...changes };
    this.number++;
    const id = example.id ?? createHash('sha256').update(`ticket ${this.number}`).digest('hex').slice(0, 12);
    const session = example.session ?? `00000000-0000-4000-8000-${String(this.number).padStart(12, '0')}`;
    const ticket = { ...example, id, session, state: example.state ?? 'pending', cwd: example.cwd ?? '/home/ana/shop', since: this.iso(example.ago ?? 180), history: [] };
    if (ticket.rawInput) ticket.input = JSON.parse(ticket.rawInput);
    ticket.digest = this.#digest(ticket.rawInput ?? JSON.stringify(ticket.input));
    if (example.expires) ticket.expires = this.iso(-example.expires);
    ticket.history.push({ at: ticket.since, to: 'pending', who: `session ${session.slice(0, 8)}`, note: '' });
    if (ticket.state !== 'pending') ticket.history.push({ at: ticket.since, from: 'pending', to: ticket.state, who: ticket.state === 'expired' ? 'the clock' : 'a worker', note: '' });
    this.tickets.set(id, ticket);
    this.#tell(ticket, '', ticket.state);
    return id;
  }

  /** Somebody else, or a worker, does something with a ticket. */
  move(id, to, who = 'bo', answer, note = answer?.reason ?? '') {
    const ticket = this.tickets.get(id);
    const from = ticket.state;
    ticket.state = to;
    if (answer) ticket.answer = { by: who, at: this.iso(), ...answer };
    ticket.history.push({ at: this.iso(), from, to, who, note });
    this.#tell(ticket, from, to);
  }

  /** Something happens to a ticket that waits on as before: a yes of several, a comment. */
  note(id, kind, who, note = '') {
    const ticket = this.tickets.get(id);
    ticket.history.push({ at: this.iso(), from: ticket.state, to: ticket.state, who, note, kind });
    const change = { serial: this.changes.length + 1, ticket: id, from: ticket.state, to: ticket.state, who, at: this.iso(), kind };
    this.changes.push(change);
    this.#send('change', change);
  }

  /** Somebody says yes, as one of several. */
  vote(id, by, { reason = '', digest = this.tickets.get(id).digest } = {}) {
    const ticket = this.tickets.get(id);
    ticket.votes = [...(ticket.votes ?? []).filter((vote) => vote.by !== by), { by, at: this.iso(), digest, reason }];
    this.note(id, 'vote', by, reason);
  }

  /** A link of a notification to a ticket. */
  linkTo(ticket) {
    const text = `link-${randomBytes(12).toString('base64url')}`;
    this.links.set(text, { ticket, used: false });
    return text;
  }

  /** The sign-ins of somebody end. */
  signOut(name) {
    this.people.end(name);
    this.cut();
  }

  /** The session of a ticket goes on. */
  session(id, view) {
    const ticket = this.tickets.get(id);
    const stamped = { ...view, turns: (view.turns ?? []).map((turn) => ({ at: this.iso(), ...turn })) };
    this.sessions.set(ticket.session, { session: ticket.session, cwd: ticket.cwd, prompt: ticket.context?.prompt ?? '', ...stamped });
    this.#send('session', { session: ticket.session, state: view.state });
  }

  /** The guard that holds a call gives up waiting, or waits again. */
  guard(id, state) {
    const ticket = this.tickets.get(id);
    ticket.guard = state;
    this.#send('session', { session: ticket.session, state: 'held' });
  }

  /** Somebody else opens a call in a window of theirs, or none. */
  visit(who, ticket) {
    this.#look(`window of ${who}`, who, ticket);
  }

  #look(window, who, ticket) {
    const before = this.windows.get(window)?.ticket;
    this.windows.set(window, { ...this.windows.get(window), who, ticket });
    for (const moved of [before, ticket]) if (moved) this.#tellOthers(moved);
  }

  #others(ticket, window, who) {
    const others = [...this.windows].filter(([name, other]) => name !== window && other.ticket === ticket);
    return { ticket, others: others.map(([, other]) => ({ name: other.who, you: other.who === who })) };
  }

  #tellOthers(ticket) {
    for (const [name, { stream, who }] of this.windows) stream?.write(frame('presence', this.#others(ticket, name, who)));
  }

  /** Cuts all streams. */
  cut() {
    for (const stream of this.streams) stream.destroy();
    this.streams.clear();
  }

  #digest(text) {
    return `sha256:${createHash('sha256').update(text).digest('hex')}`;
  }

  /** It is known what has become of the rule that came with an answer. */
  settleRule(id, rule) {
    const ticket = this.tickets.get(id);
    ticket.rule = { ...ticket.rule, ...rule };
    this.#send('rule', { ticket: id, state: ticket.rule.state });
  }

  #tell(ticket, from, to) {
    const change = { serial: this.changes.length + 1, ticket: ticket.id, ...(from && { from }), to, who: ticket.answer?.by ?? 'session', at: this.iso() };
    this.changes.push(change);
    this.#send('change', change);
  }

  #send(name, data) {
    for (const stream of this.streams) stream.write(frame(name, data));
  }

  async #handle(request, response) {
    const url = new URL(request.url, this.url);
    if (this.down) return void request.socket.destroy();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    this.requests.push({ method: request.method, path: url.pathname, body });
    for (const [name, value] of Object.entries({ 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Resource-Policy': 'same-origin', 'Cache-Control': 'no-store' })) response.setHeader(name, value);
    if (!url.pathname.startsWith('/api/')) return this.#page(url.pathname, response);
    await this.until(url.pathname);
    try {
      if (!['/api/v1/sign-in', '/api/v1/proof'].includes(url.pathname)) this.#admit(request);
      if (url.pathname === '/api/v1/events') return this.#stream(url, response);
      const answer = this.#route(request.method, url, body);
      response.setHeader('Content-Type', 'application/json');
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    } catch (error) {
      const { status = 500, code = 'internal', message, details, wait } = error;
      response.writeHead(status, { 'Content-Type': 'application/json', ...(wait && { 'Retry-After': wait }) });
      response.end(JSON.stringify({ error: { code, message, details } }));
    }
  }

  /** What follows is asked by whoever the token belongs to. */
  #admit({ headers: { authorization = '' } }) {
    if (!this.people && authorization === `Bearer ${this.token}`) return;
    const me = this.people?.of(authorization.replace('Bearer ', ''));
    if (!me) throw new Refusal(401, 'forbidden', 'the token is missing or not that of this server');
    this.me = me;
  }

  async #page(path, response) {
    if (path === '/oidc/start' && this.people?.oidc) return response.writeHead(303, { Location: `/#token=${this.people.enter(this.people.comes)}` }).end();
    const name = path === '/' ? 'index.html' : path.slice(1);
    try {
      if (name.includes('..')) throw new Error('outside');
      const data = await readFile(join(pageDir, name));
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.end(data);
    } catch {
      response.writeHead(404);
      response.end();
    }
  }

  #stream(url, response) {
    response.setHeader('Content-Type', 'text/event-stream');
    response.write(': connected\n\n');
    for (const change of this.changes.slice(Number(url.searchParams.get('after')))) response.write(frame('change', change));
    this.streams.add(response);
    const window = url.searchParams.get('window');
    if (window) {
      this.windows.set(window, { who: this.who, ticket: '', stream: response });
      for (const ticket of new Set([...this.windows.values()].map((one) => one.ticket).filter(Boolean))) response.write(frame('presence', this.#others(ticket, window, this.who)));
    }
    response.on('close', () => {
      this.streams.delete(response);
      const left = this.windows.get(window);
      if (left?.stream !== response) return;
      this.windows.delete(window);
      if (left.ticket) this.#tellOthers(left.ticket);
    });
  }

  #route(method, url, body) {
    const path = url.pathname.slice('/api/v1/'.length);
    const given = url.searchParams;
    if (path === 'sign-in' && method === 'GET') return this.people?.ways() ?? { people: false, oidc: null };
    if (path === 'sign-in') return (this.people ?? nothing()).signIn(strict(body, ['name', 'password']));
    if (path === 'proof' && method === 'POST') return this.#prove(strict(body, ['key', 'nonce']));
    if (path === 'sign-out') return this.#signedOut();
    if (method === 'GET' && path === 'me') return { ...this.me, version: 'test', state: '/var/lib/assent' };
    if (method === 'POST' && path === 'links') return this.#link(strict(body, ['link']).link);
    if (method === 'GET' && path === 'overview') return this.#overview();
    if (method === 'GET' && path === 'tickets') return this.#list(given);
    if (method === 'GET' && path === 'history') return this.#history(given);
    if (method === 'POST' && path === 'batch') return this.#batch(strict(body, ['approve', 'reason']));
    if (method === 'POST' && path === 'presence') return this.#presence(strict(body, ['window', 'ticket']));
    const [what, id, verb] = path.split('/');
    if (method === 'GET' && what === 'sessions') return this.#session(id);
    const ticket = this.tickets.get(id) ?? nothing();
    if (method === 'GET' && !verb) return this.#detail(ticket);
    if (method === 'GET' && verb === 'audit') return this.#audit(ticket);
    if (method !== 'POST') nothing();
    switch (verb) {
      case 'check':
        return this.#check(ticket, body);
      case 'approve':
        return this.#approve(ticket, strict(body, ['digest', 'places', 'change', 'input', 'answers', 'reason', 'confirm', 'rule', 'undo', 'link']));
      case 'deny':
        return this.#deny(ticket, strict(body, ['digest', 'reason', 'undo', 'link']));
      case 'undo':
        return this.#undo(ticket, strict(body, ['digest', 'until']));
      case 'send':
        return this.#sendNow(ticket, strict(body, ['digest', 'until']));
      case 'resolve':
        return this.#resolve(ticket, strict(body, ['ran', 'note']));
      case 'comment':
        this.note(id, 'comment', this.who, strict(body, ['text']).text);
        return this.#detail(ticket);
      default:
        return nothing();
    }
  }

  /** Shows that it knows a token, or sends something that looks like it. */
  #prove({ key, nonce }) {
    const digests = (this.people?.tokens() ?? [this.token]).map((token) => createHash('sha256').update(token).digest());
    const digest = digests.find((one) => one.toString('hex').startsWith(key)) ?? randomBytes(32);
    const salt = randomBytes(32).toString('hex');
    return { salt, proof: createHmac('sha256', digest).update(['assent proof 1', new URL(this.url).host, nonce, salt].join('\n')).digest('hex') };
  }

  #signedOut() {
    this.people.end(this.who);
    return {};
  }

  /** Opens a link, which uses up nothing: one that was used leads to its call all the same. */
  #link(text) {
    const { ticket, used } = this.links.get(text) ?? gone('this link is too old: look for the call in the inbox');
    return { ticket, state: this.tickets.get(ticket).state, used };
  }

  #useLink(text, ticket) {
    if (text === undefined) return;
    const link = this.links.get(text);
    if (!link || link.used || link.ticket !== ticket) gone('this link is for another call, or an answer was given with it already (look at the call in the inbox)');
    link.used = true;
  }

  #overview() {
    const answered = [...this.tickets.values()].filter((t) => t.answer).sort((a, b) => Date.parse(b.answer.at) - Date.parse(a.answer.at));
    return { answered: answered.slice(0, 5).map(item), ...this.overview };
  }

  #presence({ window, ticket }) {
    if (!this.windows.has(window) || ticket && !this.tickets.has(ticket)) nothing();
    this.#look(window, this.who, ticket);
    return this.#others(ticket, window, this.who);
  }

  #audit(t) {
    const head = (number) => `${number}:${createHash('sha256').update(`record ${number}`).digest('hex')}`;
    const first = [...this.tickets.keys()].indexOf(t.id) * 10 + 1;
    const records = [{ number: first, at: t.since, decision: 'defer', reason: t.why, head: head(first) }];
    if (['running', 'done', 'failed'].includes(t.state)) records.push({ number: first + 3, at: this.iso(), decision: 'allow', who: t.answer?.by ?? 'a worker', head: head(first + 3) });
    const last = this.tickets.size * 10;
    return { state: this.recordProblem ? 'unverified' : 'verified', ...(this.recordProblem && { problem: this.recordProblem }), records, of_session: 7, last, head: head(last), at: this.iso() };
  }

  #list(given) {
    const states = (given.get('state') ?? '').split(',');
    const all = [...this.tickets.values()].filter((t) => states.includes(t.state));
    all.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || risks[b.risk] - risks[a.risk] || Date.parse(b.since) - Date.parse(a.since) || (a.id < b.id ? 1 : -1));
    const perSession = new Map();
    const listed = all.filter((t) => {
      perSession.set(t.session, (perSession.get(t.session) ?? 0) + 1);
      return perSession.get(t.session) <= 100;
    });
    const counts = {};
    for (const t of this.tickets.values()) counts[t.state] = (counts[t.state] ?? 0) + 1;
    const page = this.#part(listed, given);
    return { ...page, counts, serial: this.changes.length, damaged: [], crowds: this.#crowds(all, listed, given.get('after'), page) };
  }

  /** The sessions of which something was left out on the way through this part of the list. */
  #crowds(all, listed, after, { tickets, next }) {
    const way = all.slice(after ? all.findIndex((t) => t.id === after) + 1 : 0, next ? all.findIndex((t) => t.id === tickets.at(-1).id) + 1 : undefined);
    const left = new Set(way.filter((t) => !listed.includes(t)).map((t) => t.session));
    return [...left].map((session) => ({ session, more: all.filter((t) => t.session === session).length - 100 }));
  }

  #part(all, given) {
    const from = given.get('after') ? all.findIndex((t) => t.id === given.get('after')) + 1 : 0;
    const limit = Number(given.get('limit') ?? 50);
    const part = all.slice(from, from + limit);
    return { tickets: part.map(item), next: from + limit < all.length ? part.at(-1).id : '' };
  }

  #session(id) {
    const ticket = [...this.tickets.values()].find((t) => t.session === id) ?? nothing();
    return this.sessions.get(id) ?? { session: id, state: 'interrupted', cwd: ticket.cwd, prompt: ticket.context?.prompt ?? '', turns: [], running: false, labels: ticket.labels };
  }

  #history(given) {
    const text = (given.get('q') ?? '').toLowerCase();
    const all = [...this.tickets.values()].filter((t) => JSON.stringify([t.id, t.tool, t.input, t.cwd, t.state, t.answer]).toLowerCase().includes(text));
    all.sort((a, b) => Date.parse(b.since) - Date.parse(a.since) || (a.id < b.id ? 1 : -1));
    return { ...this.#part(all, given), damaged: [] };
  }

  #detail(t) {
    const past = (list) => (list ?? []).map(([state, sentence], i) => ({ ...item(t), id: `past${i}0000000`, state, sentence }));
    const detail = {
      ...item(t), input: t.input, input_pretty: pretty(t.input), edited: t.edited, why: t.why, policy: '3 rules', history: t.history, rules: t.state === 'pending' ? t.rules : t.rules ?? null, change: t.change ?? null,
      questions: t.questions ?? [], context: { prompt: t.context?.prompt ?? '', turns: (t.context?.turns ?? []).map(({ ago, ...turn }) => ({ ...turn, at: this.iso(ago) })) },
      labels: t.labels, consequences: { cwd: t.cwd, where: t.where ?? 'here', host: 'build-2', user: 'ana', network: t.network ?? false, files: t.files ?? [] },
      earlier: { approved: t.earlier?.approved ?? 0, denied: t.earlier?.denied ?? 0, last: past(t.earlier?.last) },
      suggestion: t.suggestion && t.state === 'pending' ? { session: { covers: 0, denied: 0, examples: [] }, ...t.suggestion, examples: past(t.suggestion.examples) } : null,
      no_rule: t.state === 'pending' && !t.suggestion ? t.no_rule : undefined, stopped_by: t.stopped_by ?? 'rules', guard: ['pending', 'approved', 'denied'].includes(t.state) ? t.guard : undefined, guard_ms: t.guardUntil > this.now() ? t.guardUntil - this.now() : undefined, undo: t.undo > this.now() && ['approved', 'denied'].includes(t.state) ? { until: new Date(t.undo).toISOString(), left_ms: t.undo - this.now() } : undefined, edited_change: t.edited && t.editedChange, doubt: t.state === 'pending' ? t.doubt : undefined, places: t.places,
      deniable: ['pending', 'approved'].includes(t.state), confirm: t.state === 'pending' ? t.confirm ?? null : null, editable: t.state === 'pending' && !t.questions && !t.fixed, fixed: t.fixed, problem: t.problem, rule: t.rule, ...termsOf(this.me, t),
    };
    if (!t.rawInput && !t.rawEdited) return detail;
    // Numbers that JavaScript cannot hold are written as they came.
    const input = t.rawInput ?? JSON.stringify(t.input);
    return JSON.stringify({ ...detail, input: 0, edited: t.rawEdited && 0, input_pretty: input.replace('{', '{\n  ').replace(',', ',\n  ').replace('}', '\n}').split('\n') }).replace('"input":0', `"input":${input}`).replace('"edited":0', `"edited":${t.rawEdited}`);
  }

  #check(t, body) {
    const input = strict(body, ['input']).input;
    const text = JSON.stringify(input);
    const same = text === JSON.stringify(t.input);
    const command = input.command;
    const invalid = 'command' in t.input && (typeof command !== 'string' || command === '');
    const denied = typeof command === 'string' && command.includes('rm -rf /');
    const high = typeof command === 'string' && command.includes('--force');
    return {
      digest: same ? t.digest : this.#digest(text), valid: !invalid && !denied,
      problem: invalid ? 'command: want a text that is not empty' : denied ? 'the rule Bash(rm -rf /*) (/home/ana/.claude/settings.json:3) denies it, and nobody can approve it as long as the rule stands' : undefined,
      rules: { ...t.rules, decision: denied ? 'deny' : 'ask', paths: (t.places ?? []).map((real) => ({ given: input.file_path, real, access: 'writes', inside: real.startsWith(t.cwd) })) }, change: t.change ?? null, edit: lineDiff(pretty(t.input), pretty(input)), risk: high ? 'high' : t.risk, sentence: command ? `Run \`${command}\`` : t.sentence,
      confirm: high ? { word: 'main', why: 'rewrites the history of a remote branch' } : null, places: t.places,
    };
  }

  #must(t, digest) {
    if (t.state !== 'pending') throw new Refusal(409, 'answered', `${t.answer?.by ?? 'somebody'} has answered ${t.id} already: ${t.state}`, { state: t.state, answer: t.answer });
    if (digest !== t.digest) throw new Refusal(409, 'changed', 'this is not the call that was shown');
  }

  #approve(t, body) {
    this.#must(t, body.digest);
    if (t.confirm && body.confirm !== t.confirm.word) throw new Refusal(403, 'confirm', `the risk of this call is high: type ${t.confirm.word} to approve it`);
    if (t.questions && !body.answers) throw new Refusal(400, 'invalid', 'every question needs an answer');
    if (t.places && String(body.places) !== String(t.places)) throw new Refusal(409, 'changed', `it leads to ${t.places} now, and not to ${body.places}: look at the call again`);
    mustHold(this.me, t, body);
    this.#useLink(body.link, t.id);
    if (!this.#enough(t, body)) return this.#detail(t);
    if (body.input) Object.assign(t, { edited: body.input, edited_sentence: body.input.command ? `Run \`${body.input.command}\`` : t.sentence });
    if (body.rule) t.rule = { rules: t.suggestion.updates[body.rule.index].rules, scope: body.rule.scope, file: t.suggestion.updates[body.rule.index].files?.[body.rule.scope], state: body.undo ? 'waits' : 'added' };
    t.undo = body.undo ? this.#undoUntil(t) : 0;
    this.move(t.id, 'approved', this.who, { decision: 'allow', reason: body.reason });
    return this.#detail(t);
  }

  /** Keeps a yes, and says whether it is the last one that is needed. */
  #enough(t, { reason, input }) {
    const digest = input ? this.#digest(JSON.stringify(input)) : t.digest;
    const others = (t.votes ?? []).filter((vote) => vote.digest === digest && vote.by !== this.who);
    if (others.length + 1 >= (t.terms?.approvers ?? 1)) return true;
    this.vote(t.id, this.who, { reason, digest });
    return false;
  }

  #withdraw(t) {
    t.votes = t.votes.filter((vote) => vote.by !== this.who);
    this.note(t.id, 'withdrawn', this.who);
    return this.#detail(t);
  }

  #deny(t, body) {
    if (t.state !== 'approved') this.#must(t, body.digest);
    if (!this.me.may.answer) throw new Refusal(403, 'forbidden', 'viewers answer nothing');
    this.#useLink(body.link, t.id);
    if (!body.reason?.trim()) throw new Refusal(400, 'invalid', 'the reason is missing, which the model is told');
    t.undo = body.undo ? this.#undoUntil(t) : 0;
    this.move(t.id, 'denied', this.who, { decision: 'deny', reason: body.reason });
    return this.#detail(t);
  }

  /** Until when an answer can be taken back: not for longer than a guard waits for it. */
  #undoUntil(t) {
    const until = this.now() + this.undoFor;
    return t.guardUntil > this.now() ? Math.min(until, t.guardUntil - 1000) : until;
  }

  #sendNow(t, body) {
    if (!['approved', 'denied'].includes(t.state) || body.digest !== t.digest) throw new Refusal(409, 'answered', 'there is no such answer');
    t.undo = 0;
    this.note(t.id, 'sent', this.who);
    return this.#detail(t);
  }

  #undo(t, body) {
    if (t.state === 'pending' && t.votes?.some((vote) => vote.by === this.who)) return this.#withdraw(t);
    if (!['approved', 'denied'].includes(t.state) || !(t.undo > this.now())) throw new Refusal(409, 'answered', 'the time to take this answer back is over');
    if (body.digest !== t.digest) throw new Refusal(409, 'changed', 'this is not the call that was shown');
    t.answer = undefined;
    t.rule = undefined;
    t.edited = undefined;
    t.edited_sentence = undefined;
    if (t.expires && Date.parse(t.expires) <= this.now()) this.move(t.id, 'denied', this.who, { decision: 'deny', reason: 'the answer was taken back, and there was no time left for another one' });
    else this.move(t.id, 'pending', this.who);
    return this.#detail(t);
  }

  #resolve(t, body) {
    if (t.state !== 'unknown') throw new Refusal(409, 'changed', 'it is known what became of it');
    this.move(t.id, body.ran ? 'done' : 'pending', this.who, undefined, body.note);
    return this.#detail(t);
  }

  #batch(body) {
    const all = body.approve.map(({ id }) => this.tickets.get(id) ?? nothing());
    if (all.some((t) => t.risk === 'high')) throw new Refusal(403, 'high_risk', 'the risk is high: it has to be approved by itself');
    if (new Set(all.map((t) => t.kin)).size > 1) throw new Refusal(400, 'invalid', 'approve: only calls of one sort can be approved at once');
    if (all.some((t) => item(t).shown !== 'in_full')) throw new Refusal(400, 'invalid', 'approve: its line does not show all of it: open it first');
    return { results: body.approve.map(({ id, ...shown }) => {
      try {
        this.#approve(this.tickets.get(id), shown);
        return { id, ok: true };
      } catch ({ code, message }) {
        return { id, ok: false, error: { code, message } };
      }
    }) };
  }
}

function item(t) {
  const { id, state, tool, sentence, shown = 'in_full', risk, session, cwd, asker, since, expires, places, digest, kin, answer, edited_sentence, terms } = t;
  return { id, state, tool, sentence, shown, risk, session, cwd, asker, since, expires, ...(expires && { outcome: 'deny' }), places, digest, kin, answer, edited_sentence, ...(terms && { terms }) };
}

function frame(name, data) {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
