// What a flow works with: a fake server of its own, pages on it, and the checks that hold
// for every page whatever the flow is about.

import assert from 'node:assert/strict';
import { Fake } from '../fake.mjs';
import { passwordOf } from '../people.mjs';
import { axeSource, newContext, sizes } from './browser.mjs';
import { Listener } from './listener.mjs';
import { Program } from './program.mjs';
import { Provider } from './provider.mjs';
import { Real } from './real.mjs';

/** Tries until it holds: the page shows a change a moment after it happens. */
export async function eventually(check, what = '') {
  const until = Date.now() + 30_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) {
        if (what) error.message = `${what}: ${error.message}`;
        throw error;
      }
      await new Promise((done) => setTimeout(done, 25));
    }
  }
}

export class Flow {
  #browser;
  #contexts = [];
  #fakes = [];
  #complaints = [];
  /** Complaints of the browser that the flow provokes. */
  expected = [];
  states = 0;
  lesser = new Map();

  #control;

  constructor(browser, control) {
    this.#browser = browser;
    this.#control = control;
  }

  /** A server with calls of these names, the last of which is the newest. */
  async fake(names = [], options = {}) {
    const fake = await new Fake(options).start();
    this.#fakes.push(fake);
    names.forEach((name, i) => fake.park(name, { ago: 60 * (names.length - i) + 60 }));
    return fake;
  }

  /** The real server with nothing in it. */
  real() {
    return Real.start(this.#control);
  }

  /** The real server with people who sign in, and nothing in it. */
  people() {
    return Real.start(this.#control, 'gather');
  }

  /** The program at work, with a model that plays a script in the sessions that go on; see Program.start. */
  async program(script, prepare) {
    const program = await Program.start(script, prepare);
    this.#fakes.push(program);
    return program;
  }

  /** Another server that knows people, and sends them back to an address. */
  async provider(callback) {
    const provider = await Provider.start(callback);
    this.#fakes.push(provider);
    return provider;
  }

  /** A program of somebody who wants to be told. */
  async listener() {
    const listener = await new Listener().start();
    this.#fakes.push(listener);
    return listener;
  }

  /** A browser of its own with a page that nobody has used. */
  async page(options = {}) {
    const context = await newContext(this.#browser, options);
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && this.#complaints.push(message.text()));
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    return page;
  }

  /** The inbox, open and connected. Its clock can be moved. */
  async open(fake, options = {}) {
    const page = await this.page(options);
    await page.clock.install({ time: fake.now() });
    await page.goto(fake.link);
    await connected(page);
    return page;
  }

  /** The inbox of a server with people, open for one of them. */
  async enter(fake, name, { at = '', ...options } = {}) {
    const page = await this.page(options);
    await page.clock.install({ time: fake.now() });
    await page.goto(`${fake.url}/${at}`);
    await signIn(page, name);
    await connected(page);
    return page;
  }

  /**
   * Nobody is kept from using the page as it stands: in dark and light, on a screen and on a
   * phone, axe finds nothing serious.
   */
  async sound(page, name) {
    this.states++;
    const before = page.viewportSize();
    for (const size of Object.values(sizes)) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const found = await this.#axe(page, colorScheme);
        const grave = found.filter(({ impact }) => ['serious', 'critical'].includes(impact));
        assert.deepEqual(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`), [], `${name}, ${size.width} px, ${colorScheme}`);
        for (const { id, impact } of found) this.lesser.set(`${id} (${impact})`, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name}: the page is ${wide} px wider than the screen of ${size.width} px`);
      }
    }
    await page.setViewportSize(before);
    await page.emulateMedia({ colorScheme: null });
  }

  /** In the dark only the colours are others. */
  async #axe(page, colorScheme) {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource());
    const only = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
    const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), { resultTypes: ['violations'], ...only });
    return violations;
  }

  /** What the pages of a flow that has failed show, for whoever reads the log. */
  async scene() {
    const pages = this.#contexts.flatMap((context) => context.pages()).filter((page) => !page.isClosed());
    const shown = await Promise.all(pages.map(async (page) => {
      const text = await page.evaluate(() => `focus on ${document.activeElement?.tagName} "${document.activeElement?.textContent?.slice(0, 80)}"\n${document.body.innerText}`).catch(String);
      return `${page.url().split('#')[1] ?? ''}: ${text.replace(/\s*\n\s*/g, ' / ').slice(0, 2_000)}`;
    }));
    return [...shown, ...this.#complaints].map((line) => `shown: ${line}`).join('\n');
  }

  async end() {
    for (const context of this.#contexts) await context.close();
    for (const fake of this.#fakes) await fake.stop();
    const others = this.#complaints.filter((text) => !this.expected.some((known) => known.test(text)));
    assert.deepEqual(others, [], 'the browser complains');
  }
}

/** Signs in with the form. */
export async function signIn(page, name, password = passwordOf(name)) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The name of the element that has the focus after each press of Tab, from the beginning of the page; it is always to be seen. */
export async function reached(page) {
  const seen = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const node = document.activeElement;
      const style = getComputedStyle(node);
      const label = node.labels?.[0]?.textContent;
      return { name: node.getAttribute('aria-label') ?? label ?? node.textContent, outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, body: node === document.body };
    });
    if (at.body) break;
    assert.ok(at.outline, `the focus can be seen on ${at.name}`);
    seen.push(at.name);
  }
  return seen;
}

/** Waits until the page follows the server. */
export async function connected(page) {
  await page.locator('#connection[data-state="live"]').waitFor({ state: 'attached' });
}

/** Stops the clock of a page, so that a slow machine does not let an offer run out. */
export async function stop(page) {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
}

/** Waits until a call is on the page, and keys may answer it. */
export async function shows(page, name) {
  await page.getByRole('heading', { level: 2, name }).waitFor();
  await page.locator('#call article').waitFor();
}

/** Opens a call by its row. */
export async function choose(page, name) {
  await page.locator('#list').getByRole('button', { name }).click();
  await shows(page, name);
}

/** Presses a key as a person would, who has looked at the call for a moment. */
export async function press(page, key) {
  await page.clock.fastForward(650);
  await page.keyboard.press(key);
}

/** The bodies of the requests of a kind that the server got. */
export function sent(fake, end) {
  return fake.requests.filter(({ method, path }) => method === 'POST' && path.endsWith(end)).map(({ body }) => JSON.parse(body));
}

/** Something that others wait for until the flow lets it come. */
export function held() {
  let resolve;
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}
