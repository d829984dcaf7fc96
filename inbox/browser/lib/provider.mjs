// Another server that knows people, as the tests of package oidc start it: a real one, at which
// nobody is asked for a password. Whoever comes is the one who was named.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../oidc/testdata/provider/provider.mjs', import.meta.url));

export class Provider {
  #child;

  /** @param {string} callback where it sends people back to */
  static async start(callback) {
    const provider = new Provider();
    const child = provider.#child = spawn(process.execPath, [script, callback]);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => { errors += text; });
    provider.url = await new Promise((done, fail) => {
      createInterface(child.stdout).once('line', done);
      child.once('error', fail).once('close', () => fail(new Error(`the other server does not start (if something is missing, run scripts/setup): ${errors}`)));
    });
    return provider;
  }

  /** Who signs in from now on; nobody is let in there without a subject. */
  async next(sub, claims = {}) {
    const { status } = await fetch(`${this.url}/test/who`, { method: 'POST', body: JSON.stringify({ sub, claims }) });
    if (status !== 204) throw new Error(`the other server says ${status}`);
  }

  /** It ends with its standard input. */
  async stop() {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((done) => { this.#child.once('close', done); });
    this.#child.stdin.end();
    await ended;
  }
}
