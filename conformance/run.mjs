#!/usr/bin/env node
// Conformance kit.
//   node run.mjs --bin <executable> [--dir <scenario dir>]... [--scenario <name or substring>]...
//                [--golden <name>] [--record] [--sdk <path of the Agent SDK package>] [--jobs <n>] [--raw] [--keep] [-v]
// Goldens of a scenario directory D live in D/../golden/<name>/<scenario>.json.
// Without --golden the runs are only observed. --record writes the goldens instead of comparing.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { startFakeApi } from './fakeapi.mjs';
import { kitDir, makeSandbox } from './lib/sandbox.mjs';
import { startHttpHooks } from './lib/httphooks.mjs';
import { drive } from './lib/drive.mjs';
import { makeNormaliser } from './lib/normalise.mjs';
import { judge } from './lib/compare.mjs';

const opt = { dir: [], scenario: [] };
for (let a = process.argv.slice(2), i = 0; i < a.length; i++) {
  const k = a[i].replace(/^--?/, '');
  if (k === 'dir' || k === 'scenario') opt[k].push(a[++i]);
  else if (['bin', 'golden', 'sdk', 'jobs'].includes(k)) opt[k] = a[++i];
  else if (['record', 'keep', 'raw', 'v'].includes(k)) opt[k] = true;
  else { console.error(`unknown option ${a[i]}`); process.exit(2); }
}
if (!opt.bin) { console.error('--bin is required'); process.exit(2); }
opt.bin = path.resolve(opt.bin);
if (!opt.dir.length) opt.dir = [path.join(kitDir, 'scenarios'), path.join(kitDir, 'sdk')];
const sdk = opt.sdk || process.env.AGENT_SDK;

async function load() {
  const list = [];
  for (const d of opt.dir) for (const f of fs.readdirSync(d).sort()) {
    if (f.endsWith('.json')) list.push({ dir: d, sc: { name: f.slice(0, -5), ...JSON.parse(fs.readFileSync(path.join(d, f))) } });
    else if (f.endsWith('.mjs')) list.push({ dir: d, sc: { name: f.slice(0, -4), ...(await import(pathToFileURL(path.resolve(d, f)))).default } });
  }
  return list.filter(({ sc }) => !opt.scenario.length || opt.scenario.some((s) => sc.name.includes(s)));
}

async function observe(sc) {
  const web = await startHttpHooks();
  const box = makeSandbox(sc, { HTTP: web.url });
  web.dir = box.dir.state;
  const api = await startFakeApi({ turns: box.fill(sc.turns || []), side: box.fill(sc.side || []) });
  const norm = makeNormaliser(sc, box);
  const before = JSON.stringify(box.settingsNow());
  const obs = { runs: [] };
  const rawRuns = [];
  try {
    if (sc.drive) { // driven through the Agent SDK
      if (!sdk) throw new Error('this scenario needs --sdk or AGENT_SDK');
      const mod = await import(pathToFileURL(path.join(path.resolve(sdk), 'sdk.mjs')));
      const calls = [], messages = [];
      const ac = new AbortController();
      const timer = setTimeout(() => ac.abort(), sc.timeout_ms || 30000);
      let exit = 'ok', err = '';
      try {
        await sc.drive({
          ...mod, sdkRequire: createRequire(path.join(path.resolve(sdk), 'sdk.mjs')), box, messages, note: (o) => calls.push(o),
          options: (o = {}) => ({ cwd: box.dir.work, env: box.env(api.url, sc.env), pathToClaudeCodeExecutable: opt.bin, executable: 'node', abortController: ac, stderr: (s) => (err += s), settingSources: ['user', 'project', 'local'], ...o }),
          pump: async (q) => { for await (const m of q) { messages.push(m); await sc.onMessage?.(m, q); } },
        });
      } catch (e) { exit = 'threw'; err += String(e?.message || e); }
      clearTimeout(timer);
      const r = { exit, messages, stderr: err };
      rawRuns.push({ ...r, calls }); obs.runs.push(norm.run(r)); obs.calls = norm.deep(calls);
    } else {
      let session;
      for (const r0 of sc.runs || [{}]) {
        const r = { ...r0 };
        if (r.settings || r.files || r.hooks) box.apply(r);
        r.argv = box.fill(r.argv || sc.argv || ['-p', '--output-format', 'stream-json', '--verbose']).map((a) => a.replace('$SESSION', session || 'none'));
        for (const k of ['steps', 'answers', 'input']) r[k] = box.fill(r0[k] ?? sc[k]);
        if (r.input === undefined && !r.steps) r.input = 'go';
        if (typeof r.input === 'string' && r0.input === undefined && sc.input === undefined && r.argv.includes('--resume')) r.input = r0.input ?? '';
        r.timeout_ms ??= sc.timeout_ms;
        // `copies` starts the same invocation several times at once.
        const outs = await Promise.all(Array.from({ length: r.copies || 1 }, () => drive(opt.bin, r, { cwd: box.dir.work, env: box.env(api.url, { ...sc.env, ...r0.env }) })));
        for (const out of outs.sort((x, y) => (x.exit > y.exit) - (x.exit < y.exit))) {
          session ??= out.messages.find((m) => m.session_id)?.session_id;
          rawRuns.push(out);
          const own = out.messages.find((m) => m.type === 'result' && m.session_id)?.session_id;
          obs.runs.push({ ...(obs.runs.length && own ? { session: own === session ? 'same' : 'new' } : {}), ...norm.run(out) });
        }
      }
    }
    await new Promise((r) => setTimeout(r, sc.settle_ms || 0));
    const hooks = box.hookLog();
    if (hooks.length) obs.hooks = hooks.map(norm.hook);
    const ran = box.ran(); if (sc.bin) obs.ran = norm.deep(ran);
    const mcp = box.mcpLog(); if (mcp.length) obs.mcp = mcp;
    obs.api = norm.api(api.log);
    obs.files = norm.deep(box.workFiles());
    const outside = box.outsideFiles(); if (Object.keys(outside).length) obs.outside = norm.deep(outside);
    const after = box.settingsNow();
    if (JSON.stringify(after) !== before) obs.settings = norm.deep(Object.fromEntries(Object.entries(after).filter(([k, v]) => JSON.stringify(v) !== JSON.stringify(JSON.parse(before)[k]))));
    if (opt.raw) console.log(JSON.stringify({ raw: rawRuns.map((r) => ({ ...r, raw: undefined })), hooks, api: api.log.map((e) => ({ ...e, messages: undefined, last: e.messages?.slice(-2) })), side: undefined }, null, 1));
    return obs;
  } finally { api.close(); web.close(); if (opt.keep) console.log(`kept ${box.root}`); else try { box.remove(); } catch {} }
}

const count = { passed: 0, failed: 0, skipped: 0 };
const waiting = await load();
// --jobs runs several scenarios at once, each in a sandbox of its own; what one of them prints stays together.
await Promise.all(Array.from({ length: Number(opt.jobs) || 1 }, async () => { while (waiting.length) await check(waiting.shift()); }));

async function check({ dir, sc }) {
  const lines = [];
  const file = opt.golden && path.join(dir, '..', 'golden', opt.golden, `${sc.name}.json`);
  const golden = file && !opt.record && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : undefined;
  const skip = golden ? golden.skip : file && !opt.record && 'no golden';
  if (skip) { count.skipped++; console.log(`skip ${sc.name}: ${skip}`); return; }
  const t0 = Date.now();
  let obs, problems = [];
  try { obs = await observe(sc); } catch (e) { problems.push(`kit: ${e?.stack || e}`); }
  const secs = ((Date.now() - t0) / 1000).toFixed(1);
  if (obs && opt.record) { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, compact(obs) + '\n'); }
  else if (obs && golden) problems.push(...judge(golden, JSON.parse(JSON.stringify(obs)), sc));
  if (obs && obs.runs.some((r) => r.exit === 'timeout')) problems.push('timed out');
  count[problems.length ? 'failed' : 'passed']++;
  lines.push(`${problems.length ? 'FAIL' : 'ok  '} ${sc.name} (${secs}s)`);
  for (const p of problems.slice(0, opt.v ? 99 : 6)) lines.push(`       ${p}`);
  if (problems.length > 6 && !opt.v) lines.push(`       … ${problems.length - 6} more`);
  if (obs && (opt.v || (!opt.golden && !opt.raw))) lines.push(compact(obs));
  console.log(lines.join('\n'));
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed ? 1 : 0);

// One line per list entry: small, and reads well in a diff.
function compact(o) {
  const rows = (v, ind) => Array.isArray(v) && v.length ? '[\n' + v.map((x) => ind + ' ' + JSON.stringify(x)).join(',\n') + `\n${ind}]` : JSON.stringify(v);
  return '{\n' + Object.entries(o).map(([k, v]) => k === 'runs'
    ? ` "runs": [\n` + v.map(({ messages, ...r }) => `  ${JSON.stringify(r).slice(0, -1)}, "messages": ${rows(messages, '  ')}}`).join(',\n') + '\n ]'
    : ` ${JSON.stringify(k)}: ${rows(v, ' ')}`).join(',\n') + '\n}';
}
