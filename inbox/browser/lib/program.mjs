// The program itself, as people start it: `assent serve`, agents that run without anybody at
// a terminal, and the hooks of other agents. Each has a home and a project of its own.

import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passwordOf } from '../people.mjs';

export class Program {
  #top = realpathSync(mkdtempSync(join(tmpdir(), 'assent-browser-')));
  #running = new Set();

  dir = join(this.#top, 'project');
  home = join(this.#top, 'home');

  /** What the settings of the user say beside what a test writes into them. */
  always = {};

  /**
   * Starts the server.
   * @param {string} script what the model does in sessions that go on
   * @param {(program: Program) => Promise<string[]>} prepare what has to be there before, and the flags of the server
   */
  static async start(script, prepare = async () => []) {
    const program = new Program();
    for (const dir of [program.dir, join(program.home, '.claude')]) mkdirSync(dir, { recursive: true });
    program.write('rest.yaml', script);
    try {
      const server = program.#spawn(['serve', ...await prepare(program), '--', '--model', 'script:rest.yaml']);
      const link = await server.line();
      const [url, token] = link.split(/\/(?:#token=|$)/); // where people sign in there is no token
      if (token === undefined) throw new Error(`assent serve: ${link}${server.errors}`);
      return Object.assign(program, { url, token, link, now: () => Date.now() });
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  /** Adds a person who signs in with a password. */
  async person(name, role) {
    this.secret('password', passwordOf(name));
    const { status, errors } = await this.run('people', 'add', name, '--role', role, '--password-file', 'password');
    if (status !== 0) throw new Error(`assent people add: ${errors}`);
  }

  #spawn(args) {
    const child = spawn('assent', args, { cwd: this.dir, env: { ...process.env, HOME: this.home, ASSENT_HOME: '' } });
    this.#running.add(child);
    const one = { child, out: '', errors: '' };
    let heard = () => {};
    child.stdout.setEncoding('utf8').on('data', (text) => { one.out += text; heard(); });
    child.stderr.setEncoding('utf8').on('data', (text) => { one.errors += text; });
    one.ended = new Promise((done, fail) => {
      child.on('error', fail);
      child.on('close', (status) => { this.#running.delete(child); heard(); done({ status, out: one.out, errors: one.errors }); });
    });
    /** The first line of its standard output, or what there is when it ends before. */
    one.line = async () => {
      while (!one.out.includes('\n') && this.#running.has(child)) await new Promise((done) => { heard = done; });
      return one.out.split('\n')[0].trim();
    };
    return one;
  }

  /** Runs the program to its end. */
  run(...args) {
    const one = this.#spawn(args);
    one.child.stdin.end();
    return one.ended;
  }

  /** Lets another agent's hook judge a call, which takes as long as people do. */
  hook(agent, event) {
    return this.#hook(agent, event).ended;
  }

  #hook(agent, event) {
    const one = this.#spawn(['hook', '--agent', agent]);
    one.child.stdin.end(JSON.stringify({ cwd: this.dir, ...event }));
    return one;
  }

  /** The same for an agent that loses patience: what is returned ends its hook. */
  impatient(agent, event) {
    const one = this.#hook(agent, event);
    return () => {
      one.child.kill('SIGKILL');
      return one.ended;
    };
  }

  /** Lets an agent work until its call waits for a person. */
  async park(turns) {
    this.write('session.yaml', turns);
    const defer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } });
    this.settings({ permissions: { allow: ['Bash(cat:*)'] }, hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', if: 'Bash(echo:*)', command: `echo '${defer}'` }] }] } });
    const { status, out, errors } = await this.run('-p', 'Release version 2.', '--model', 'script:session.yaml');
    const id = /assent sessions show ([0-9a-f-]{36})/.exec(errors)?.[1];
    if (status !== 0 || !id) throw new Error(`the call does not wait (exit status ${status}): ${out}${errors}`);
    return id;
  }

  /** Writes the settings of the user. */
  settings(all) {
    writeFileSync(join(this.home, '.claude', 'settings.json'), JSON.stringify({ ...this.always, ...all }));
  }

  /** Writes a file that only its owner may read, and says where it is. */
  secret(name, text) {
    const path = join(this.dir, name);
    writeFileSync(path, text);
    chmodSync(path, 0o600);
    return path;
  }

  write(name, text) {
    writeFileSync(join(this.dir, name), text);
  }

  append(name, text) {
    appendFileSync(join(this.dir, name), text);
  }

  /** A file of the project; empty when there is none. */
  read(name) {
    try {
      return readFileSync(join(this.dir, name), 'utf8');
    } catch (error) {
      if (error.code === 'ENOENT') return '';
      throw error;
    }
  }

  /** What the API says. */
  async get(path) {
    const response = await fetch(`${this.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${this.token}` } });
    return response.json();
  }

  /** Ends what still runs, the server in good order. */
  async stop() {
    const ends = [...this.#running].map((child) => new Promise((done) => { child.on('close', done); }));
    for (const child of this.#running) child.kill('SIGTERM');
    await Promise.all(ends);
    rmSync(this.#top, { recursive: true, force: true, maxRetries: 5 });
  }
}
