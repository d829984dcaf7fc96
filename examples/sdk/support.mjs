// A support desk in one session: an agent that refunds, driven with the official Agent SDK,
// and assent as the program that decides what it may do. See README.md.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const here = path.dirname(fileURLToPath(import.meta.url));
const desk = fs.mkdtempSync(path.join(os.tmpdir(), 'support-')); // where the agent works
const print = (text) => console.log(text);
const short = (input) => JSON.stringify(input);

// The tools of the desk live in this process. The agent calls them as mcp__desk__NAME; assent judges every call before
// it comes here.
const server = createSdkMcpServer({
  name: 'desk',
  version: '1.0.0',
  tools: [
    tool('lookup', 'Looks a customer up.', { customer: z.string() }, async ({ customer }) => {
      return { content: [{ type: 'text', text: `${customer} is a regular customer` }] };
    }),
    tool('refund', 'Pays money back.', { customer: z.string(), amount: z.number() }, async ({ customer, amount }) => {
      print(`paid: $${amount} to ${customer}`);
      return { content: [{ type: 'text', text: `refunded $${amount}` }] };
    }),
  ],
});

// A hook that no rule, mode or answer overrules: more than 100 dollars are not for this desk. If it threw, or did not
// answer in time, the refund would be denied as well.
async function limitRefunds({ tool_name, tool_input }) {
  if (tool_input.amount <= 100) return {}; // no opinion: whoever decides otherwise decides
  print(`hook: ${tool_name} ${short(tool_input)} is too much`);
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'At most $100 here; hand it to a supervisor.',
    },
  };
}

// The person at the desk. They approve a refund, and press stop at the sight of a deletion instead of answering.
let asked; // the last question
const canUseTool = (...question) => (asked = ask(...question));

async function ask(name, input, { signal }) {
  if (name !== 'Bash') {
    print(`asked: ${name} ${short(input)}: yes`);
    return { behavior: 'allow', updatedInput: input };
  }
  print(`asked: ${name} ${short(input)}: stop!`);
  const withdrawn = new Promise((done) => signal.addEventListener('abort', done, { once: true }));
  await session.interrupt();
  await withdrawn; // assent does not wait for an answer any more
  print('the question was withdrawn');
  return { behavior: 'deny', message: 'too late' };
}

// Prompts go in one by one, as a person types them: the next one after the result of the last.
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
    pathToClaudeCodeExecutable: process.env.ASSENT,
    model: `script:${path.join(here, 'session.yaml')}`, // a model from a file; leave it out for a real one
    cwd: desk,
    settingSources: [], // only what is said here
    mcpServers: { desk: server },
    allowedTools: ['mcp__desk__lookup'],
    hooks: { PreToolUse: [{ matcher: '.*refund', timeout: 10, hooks: [limitRefunds] }] },
    canUseTool,
    stderr: (text) => process.stderr.write(text),
  },
});

// turn works one prompt off, and prints what the agent said in the end and what it was refused.
async function turn(prompt) {
  print(`> ${prompt}`);
  say(prompt);
  let message;
  do {
    const { value, done } = await session.next();
    if (done) throw new Error('the session has ended');
    message = value;
  } while (message.type !== 'result');
  await asked;
  for (const d of message.permission_denials) print(`denied: ${d.tool_name} ${short(d.tool_input)}`);
  print(`< ${message.subtype === 'success' ? message.result : message.subtype}`);
}

const servers = await session.mcpServerStatus();
print(`servers: ${servers.map((s) => s.name)}`);
await turn('Customer c-17 wants $450 back.');

// From here on the agent may write files without asking.
await session.setPermissionMode('acceptEdits');
await turn('Write the receipt.');
print(`receipt.txt: ${fs.readFileSync(path.join(desk, 'receipt.txt'), 'utf8').trim()}`);

// The person stops the agent; the session lives on.
await turn('Clean up.');
await turn('Are you still there?');

say(null); // no more prompts
for await (const rest of session) void rest;
fs.rmSync(desk, { recursive: true });
