// Calls as they come up in real work, with everything the API says about each. They feed
// the fake server; the real one makes its own of the tool and the input. What the rules say about
// commands is what they really say, which a Go test checks: people learn from the pictures.

const home = '/home/ana/shop';
const settings = `${home}/.claude/settings.json`;
const files = { local: `${home}/.claude/settings.local.json`, project: settings, user: '/home/ana/.claude/settings.json' };

const rule = (text, behavior, line) => ({ text, behavior, source: 'projectSettings', file: settings, line });

function explained({ decision = 'ask', reason, parts, ruleText = '', line = 0, notes }) {
  return {
    decision, reason, reason_kind: ruleText ? 'rule' : 'tool', stage: ruleText ? 'rules' : 'check', mode: 'default', stages: [], flips: [],
    ...(ruleText && { rule: ruleText, rule_source: { source: 'projectSettings', file: settings, line } }), ...(parts && { parts }), ...(notes && { notes }),
  };
}

const context = {
  prompt: 'Release checkout 2.14.0 to the shop cluster. Tests must be green first.',
  turns: [
    { who: 'model', text: 'The tests are green. I tag the commit and then roll the image out.', ago: 260 },
    { who: 'model', text: '{"command":"git tag v2.14.0 && git push origin v2.14.0"}', tool: 'Bash', ago: 240 },
    { who: 'tool', text: 'To git.example.com:shop/checkout.git\n * [new tag]         v2.14.0 -> v2.14.0', tool: 'Bash', ago: 236 },
    { who: 'model', text: 'The tag is pushed and the image was built. Now I roll it out and wait until it is ready.', ago: 200 },
  ],
};

const deployCommand = 'git fetch origin && kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.14.0 && kubectl -n shop rollout status deployment/checkout --timeout=120s';
const deployAsked = `rule Bash(kubectl -n shop set:*) (${settings}:14) says ask: \`kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.14.0\``;

/** Why there is no rule to add for the deploy, as the rules stand. */
export const noRuleForDeploy = `a rule wants such calls asked each time: ${deployAsked}`;

export const examples = {
  deploy: {
    tool: 'Bash', risk: 'medium', kin: 'Bash(git fetch, kubectl)', shown: 'in_part',
    input: { command: deployCommand, description: 'Roll out checkout 2.14.0' },
    sentence: `Run \`${deployCommand}\``,
    why: deployAsked,
    rules: explained({
      reason: deployAsked, ruleText: 'Bash(kubectl -n shop set:*)', line: 14,
      parts: [
        { text: 'git fetch origin', span: [0, 16], outcome: 'allow', why: `rule Bash(git fetch:*) (${settings}:6) says allow`, rule: rule('Bash(git fetch:*)', 'allow', 6) },
        { text: 'kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.14.0', span: [20, 111], outcome: 'ask', why: `rule Bash(kubectl -n shop set:*) (${settings}:14) says ask`, rule: rule('Bash(kubectl -n shop set:*)', 'ask', 14), decided: true },
        { text: 'kubectl -n shop rollout status deployment/checkout --timeout=120s', span: [115, 180], outcome: 'allow', why: `rule Bash(kubectl -n shop rollout status:*) (${settings}:7) says allow`, rule: rule('Bash(kubectl -n shop rollout status:*)', 'allow', 7) },
      ],
    }),
    context, network: true, files: [],
    earlier: { approved: 7, denied: 0, last: [['done', 'Run `kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.13.2`'], ['done', 'Run `kubectl -n shop set image deployment/search search=registry.example.com/search:5.1.0`']] },
    suggestion: { updates: [
      { type: 'addRules', rules: ['Bash(kubectl -n shop set image deployment/checkout:*)'], account: 'ana@build-2', destination: 'session', files, scopes: ['session', 'local', 'project', 'user'] },
      { type: 'addRules', rules: ['Bash(kubectl set image:*)'], account: 'ana@build-2', destination: 'session', files, scopes: ['session', 'local', 'project', 'user'] },
    ], covers: 12, denied: 0, examples: [['done', 'Run `kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.13.2`'], ['done', 'Run `kubectl -n shop set image deployment/checkout checkout=registry.example.com/checkout:2.13.1`']] },
    expires: 1500,
  },
  push: {
    tool: 'Bash', risk: 'high', kin: 'Bash(git push)',
    input: { command: 'git push --force origin main' },
    sentence: 'Run `git push --force origin main`: rewrites the history of a remote branch',
    why: 'rule Bash(git push:*) says ask',
    rules: explained({ reason: 'rule Bash(git push:*) says ask', ruleText: 'Bash(git push:*)', line: 12, parts: [{ text: 'git push --force origin main', span: [0, 28], outcome: 'ask', why: `rule Bash(git push:*) (${settings}:12) says ask`, rule: rule('Bash(git push:*)', 'ask', 12), decided: true }] }),
    network: true, confirm: { word: 'main', why: 'rewrites the history of a remote branch' }, earlier: { approved: 1, denied: 3, last: [] },
    context: { prompt: 'Clean up the history of the branch.', turns: [{ who: 'model', text: 'I squash the commits and push the result.', ago: 90 }] },
  },
  edit: {
    tool: 'Edit', risk: 'medium', kin: 'Edit(/home/ana/shop/src)', shown: 'in_part',
    input: { file_path: `${home}/src/price.ts`, old_string: 'return net * 1.19;', new_string: 'return round(net * (1 + rate));', replace_all: false },
    sentence: `Change \`${home}/src/price.ts\`: 1 line for 1 line`,
    why: 'no rule allows edits here',
    rules: explained({ reason: 'no rule allows edits here' }),
    change: { path: `${home}/src/price.ts`, lines: ['…', ' export function gross(net: number, rate = 0.19): number {', '   if (net < 0) throw new RangeError("net");', '-  return net * 1.19;', '+  return round(net * (1 + rate));', ' }', ' ', ' function round(amount: number): number {', '…'] },
    files: [{ path: `${home}/src/price.ts`, access: 'writes', inside: true }],
    suggestion: { updates: [{ type: 'setMode', rules: [], mode: 'acceptEdits', account: 'ana@build-2', destination: 'session', files: {}, scopes: ['session'], says: 'every further change of files in the workspace, in this session, runs without asking' }], covers: 0, denied: 0, examples: [] },
  },
  write: {
    tool: 'Write', risk: 'medium', kin: 'Write(/home/ana/shop/docs)', shown: 'in_part',
    input: { file_path: `${home}/docs/release.md`, content: '# Release 2.14.0\n\n- prices are rounded\n- the cart keeps its currency\n' },
    sentence: `Write \`${home}/docs/release.md\`: 4 lines`,
    why: 'no rule allows writing here', rules: explained({ reason: 'no rule allows writing here' }),
    change: { path: `${home}/docs/release.md`, lines: ['+# Release 2.14.0', '+', '+- prices are rounded', '+- the cart keeps its currency'], note: 'the file does not exist yet' },
    files: [{ path: `${home}/docs/release.md`, access: 'writes', inside: true }],
  },
  refund: {
    tool: 'mcp__pay__refund', risk: 'medium', kin: 'mcp__pay__refund',
    input: { order: 'A-20418', amount: 49.9, currency: 'EUR', reason: 'parcel was lost' },
    sentence: 'Call `refund` of the MCP server `pay` with `order` `A-20418`, `amount` `49.9`, `currency` `EUR`, `reason` `parcel was lost`',
    why: 'no rule allows mcp__pay__refund', rules: explained({ reason: 'no rule allows mcp__pay__refund' }), network: true,
    earlier: { approved: 4, denied: 1, last: [['done', 'Call `refund` of the MCP server `pay` with `order` `A-20391`'], ['denied', 'Call `refund` of the MCP server `pay` with `order` `A-20377`']] },
  },
  questions: {
    tool: 'AskUserQuestion', risk: 'low', kin: 'AskUserQuestion', shown: 'in_part',
    input: {}, sentence: 'Answer 3 questions, the first: `Which database should the shop use?`',
    why: 'only a person can answer questions', rules: explained({ reason: 'only a person can answer questions' }),
    questions: [
      { question: 'Which database should the shop use?', header: 'Database', multiSelect: false, options: [{ label: 'PostgreSQL', description: 'One server more to run, and no limit in sight.' }, { label: 'SQLite', description: 'Nothing to run.' }] },
      { question: 'Which regions get it first?', header: 'Regions', multiSelect: true, options: [{ label: 'Europe', description: '' }, { label: 'America', description: '' }, { label: 'Asia', description: '' }] },
      { question: 'What shall the branch be called?', header: 'Branch', multiSelect: false, options: [{ label: 'database', description: '' }, { label: 'storage', description: '' }] },
    ],
  },
  test: {
    tool: 'Bash', risk: 'low', kin: 'Bash(npm test)', input: { command: 'npm test' }, sentence: 'Run `npm test`', why: 'no rule allows it',
    rules: explained({ reason: 'no rule allows it', parts: [{ text: 'npm test', span: [0, 8], outcome: 'ask', why: 'no rule allows it and it is not known to only read (npm is not known to only read)', decided: true }] }),
  },
  exactNumber: {
    tool: 'mcp__pay__refund', risk: 'medium', kin: 'mcp__pay__refund', rawInput: '{"order":12345678901234567890,"note":"x"}',
    sentence: 'Call `refund` of the MCP server `pay` with `order` `12345678901234567890`', why: 'no rule allows it', rules: explained({ reason: 'no rule allows it' }),
  },
};
examples.questions.input = { questions: examples.questions.questions };
