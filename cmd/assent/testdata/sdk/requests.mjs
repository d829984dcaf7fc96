// Asks assent for what the official Agent SDK can ask for, and prints what comes back.
// Requests that only one release knows are left out where it does not.
import path from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const here = path.resolve('.');
const desk = (name) => createSdkMcpServer({
  name, version: '1',
  tools: [tool('where', 'Says where it is.', {}, async () => ({ content: [{ type: 'text', text: `in ${name}` }] }))],
});

let say;
async function* prompts() {
  for (;;) {
    const text = await new Promise((heard) => (say = heard));
    if (text === null) return;
    yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' };
  }
}

const session = query({
  prompt: prompts(),
  options: {
    pathToClaudeCodeExecutable: process.env.ASSENT, cwd: here, settingSources: [], model: `script:${here}/requests.yaml`,
    mcpServers: { first: desk('first') }, allowedTools: ['mcp__first', 'mcp__second'],
    agents: { reviewer: { description: 'reviews', prompt: 'Review.', tools: ['Read'], disallowedTools: ['Bash'], model: 'inherit' } },
    hooks: { SessionStart: [{ hooks: [async ({ source }) => { console.log(`hook: session ${source}`); return {}; }] }] },
    stderr: (text) => process.stderr.write(text),
  },
});

async function turn(prompt) {
  say(prompt);
  for (;;) {
    const { value: m, done } = await session.next();
    if (done) throw new Error('the session has ended');
    if (m.type === 'system' && m.subtype === 'init') console.log(`servers: ${m.mcp_servers.map((s) => `${s.name} ${s.status}`)}; tools: ${m.tools.filter((t) => t.startsWith('mcp__'))}`);
    if (m.type === 'user') for (const b of m.message.content) if (b.type === 'tool_result') console.log(`result: ${JSON.stringify(b.content[0].text)}`);
    if (m.type === 'result') return console.log(`< ${m.result ?? m.errors}`);
  }
}

async function ask(method, ...args) {
  if (!session[method]) return undefined;
  try {
    const answer = await session[method](...args);
    return answer === undefined ? 'done' : answer;
  } catch (e) { return `refused: ${e.message.replace(/ \(.*/s, '')}`; }
}
const print = async (method, ...args) => {
  const answer = await ask(method, ...args);
  console.log(`${method}: ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`);
};
const states = async () => console.log(`mcpServerStatus: ${(await session.mcpServerStatus()).map((s) => `${s.name} ${s.status} ${s.tools?.map((t) => t.name)}`)}`);

await print('supportedCommands');
console.log(`supportedAgents: ${(await session.supportedAgents()).map((a) => a.name)}`);
await print('supportedModels');
await print('accountInfo');
await turn('one');
const usage = await session.getContextUsage();
console.log(`getContextUsage: ${usage.totalTokens} of ${usage.model}`);
await print('setModel', 'other');
await print('setModel');
await print('setMaxThinkingTokens', 1000);
await print('setPermissionMode', 'bypassPermissions');
await print('rewindFiles', 'x', { dryRun: true });
await print('rewindFiles', 'x');
await print('applyFlagSettings', { permissions: { deny: ['Bash'] } });
await print('seedReadState', '/x', 1);
await print('stopTask', 'x');
console.log(`reloadPlugins: ${(await session.reloadPlugins()).plugins.length}`);
await print('reconnectMcpServer', 'first');
await print('reconnectMcpServer', 'nobody');
await print('toggleMcpServer', 'first', false);
await states();
await turn('two');
await print('toggleMcpServer', 'first', true);
await turn('three');
await print('setMcpServers', { second: desk('second') });
await states();
await turn('four');

// Only one of the releases knows these.
for (const [method, ...args] of [['backgroundTasks'], ['updateSettings', 'localSettings', { outputStyle: 'x' }], ['setMcpPermissionModeOverride', 'second', 'default'], ['reinitialize']]) {
  const answer = await ask(method, ...args);
  if (answer !== undefined && !String(answer).startsWith('refused')) console.log(`${method} is not refused: ${JSON.stringify(answer)}`);
}
say(null);
for await (const rest of session) void rest;
