// Runs the browser tests: node run.mjs [NAME…]
// One line for each; those whose file name contains a NAME, or all. --screenshots draws the
// pictures of the documentation anew. With --control ADDRESS, which a Go test gives, the
// tests in real/ run as well. --program runs those in program/ alone, with the assent that is
// in PATH. --jobs N runs N at once.

import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Flow } from './lib/flow.mjs';
import { launch } from './lib/browser.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { screenshots: { type: 'boolean' }, control: { type: 'string' }, program: { type: 'boolean' }, jobs: { type: 'string', default: '3' } } });
const dirs = values.program ? ['program'] : values.control ? ['flows', 'real'] : ['flows'];
const wanted = (name) => positionals.length === 0 || positionals.some((part) => name.includes(part));
const files = dirs.flatMap((dir) => readdirSync(new URL(dir, import.meta.url)).filter((name) => name.endsWith('.mjs')).sort().map((name) => `${dir}/${name}`)).filter(wanted);
if (files.length === 0) {
  console.error('no test has such a name');
  process.exit(2);
}

let browser;
try {
  browser = await launch();
} catch (error) {
  console.error(error.setup ? error.message : error);
  process.exit(2);
}

const failures = []; // told at the end, where a long log is looked at first
let states = 0;
const lesser = new Map();

/** A test that hangs is one that fails. */
function late() {
  return new Promise((_, fail) => setTimeout(() => fail(new Error('it takes longer than four minutes')), 240_000).unref());
}

async function one(file) {
  const name = file.replace(/^flows\/|\.mjs$/g, '').replace('/', ': ').replaceAll('-', ' ');
  const flow = new Flow(browser, values.control);
  const begun = performance.now();
  let problem;
  try {
    const { default: run } = await import(new URL(file, import.meta.url));
    await Promise.race([run(flow, { screenshots: values.screenshots }), late()]);
  } catch (error) {
    problem = error;
  }
  const scene = problem ? await flow.scene() : '';
  try {
    await flow.end();
  } catch (error) {
    problem ??= error;
  }
  states += flow.states;
  for (const [id, where] of flow.lesser) lesser.set(id, where);
  const time = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  console.log(problem ? `FAIL  ${name} (${time})` : `ok    ${name} (${time})`);
  if (problem) failures.push(`FAIL  ${name}\n${`${problem.stack ?? problem}\n${scene}`.replace(/^/gm, '      ')}`);
}

// Each has servers and browser contexts of its own, so several can run at once.
const queue = [...files];
await Promise.all(Array.from({ length: Number(values.jobs) }, async () => {
  for (let file = queue.shift(); file; file = queue.shift()) await one(file);
}));
await browser.close();
for (const failure of failures) console.log(failure);
console.log(`${files.length - failures.length} of ${files.length} passed; axe looked at ${states} states in 4 forms and found nothing serious${failures.length > 0 ? ' in those that passed' : ''}`);
if (lesser.size > 0) console.log(`lesser findings of axe: ${[...lesser].map(([id, where]) => `${id} at ${where}`).join(', ')}`);
process.exit(failures.length > 0 ? 1 : 0);
