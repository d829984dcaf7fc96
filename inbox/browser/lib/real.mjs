// The real server, which a Go test runs. It makes a new one for every test, and does there
// what agents and other people do.

export class Real {
  #control;
  #world;

  /**
   * @param {string} control the address of the Go test
   * @param {'open'|'gather'} what a server whose link lets people in, or one where they sign in: vera and dee, who may
   *   look, abe and ben, who answer, and ada, who may do everything. The token is the link's, or ada's.
   */
  static async start(control, what = 'open') {
    const real = new Real();
    real.#control = control;
    const { world, url, token, dir } = await real.#ask(what);
    Object.assign(real, { url, token, dir, link: `${url}/#token=${token}`, now: () => Date.now() });
    real.#world = world;
    return real;
  }

  async #ask(what, order = {}) {
    const response = await fetch(`${this.#control}/${what}`, { method: 'POST', body: JSON.stringify({ world: this.#world, ...order }) });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  }

  /** Parks a call in a session of its own. */
  async park(tool, input) {
    return (await this.#ask('park', { tool, input })).id;
  }

  /** Parks a call whose time is over. */
  async expired(tool, input) {
    return (await this.#ask('expire', { tool, input })).id;
  }

  /** Holds a call for the guard of another agent, for an hour. */
  async hold(by, tool, input) {
    return (await this.#ask('hold', { by, tool, input })).id;
  }

  /** The guard of another agent fetches the answer to its call. */
  async hand(id, by) {
    const { text } = await this.#ask('hand', { id, by });
    if (text) throw new Error(text);
  }

  /** The time of a call is over. */
  async late(id) {
    await this.#ask('late', { id });
  }

  /** Parks a command that somebody wanted. @param {{requester?: string, terms?: object}} needs what a yes to it needs */
  async wants(command, needs) {
    return this.wantsCall('Bash', { command }, needs);
  }

  /** Parks a call that somebody wanted. @param {{requester?: string, terms?: object}} needs what a yes to it needs */
  async wantsCall(tool, input, { requester = '', terms = {} } = {}) {
    return (await this.#ask('ask', { tool, input, requester, terms })).id;
  }

  /** The link of a notification to a call, which is good for so many minutes. */
  async linkTo(id, { to = 'phone', minutes = 60 } = {}) {
    return (await this.#ask('link', { id, name: to, minutes })).text;
  }

  /** Others are told of a call that nobody has answered. */
  async escalate(id, text) {
    await this.#ask('escalate', { id, text });
  }

  /** Makes somebody the deputy of a person. */
  async deputy(of, name) {
    await this.#ask('deputy', { by: of, name });
  }

  async disable(name) {
    await this.#ask('disable', { name });
  }

  async enable(name) {
    await this.#ask('enable', { name });
  }

  async setRole(name, role) {
    await this.#ask('role', { name, text: role });
  }

  async denyElsewhere(id, by, text) {
    await this.#ask('deny', { id, by, text });
  }

  /** Nobody has trusted the workspace. */
  async distrust() {
    await this.#ask('distrust');
  }

  /** Writes the settings of the project. */
  async rules(permissions) {
    await this.#ask('rules', { text: JSON.stringify({ permissions }) });
  }

  /** Writes decisions about a call into the record. */
  async record(id, ...decisions) {
    await this.#ask('record', { id, text: decisions.join(' ') });
  }

  /** Changes what stands in the record, as somebody does who wants another past. */
  async spoil() {
    await this.#ask('spoil');
  }

  /** Writes a file of the project. */
  async write(name, text) {
    await this.#ask('write', { name, text });
  }

  /** A file of the project; empty when there is none. */
  async read(path) {
    return (await this.#ask('read', { text: path })).text ?? '';
  }

  /** What the API says. */
  async get(path) {
    const response = await fetch(`${this.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${this.token}` } });
    return response.json();
  }

  async stop() {}
}
