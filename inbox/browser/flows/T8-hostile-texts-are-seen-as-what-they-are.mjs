import assert from 'node:assert/strict';
import { hostile } from '../hostile.mjs';
import { clean } from '../lib/clean.mjs';
import { eventually, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake();
  const cases = hostile.map((one) => ({
    ...one,
    id: fake.park('test', {
      tool: one.name === 'markup' ? `mcp__x__${one.text.slice(0, 30)}` : 'Bash', input: { command: one.text, [[...one.text].slice(0, 40).join('')]: one.text, nested: { list: [one.text] } }, sentence: `Run \`${one.text.replaceAll('`', "'")}\``,
      why: one.text, cwd: `/home/${one.text}`, problem: undefined, asker: one.text,
      rules: { decision: 'ask', reason: one.text, rule: one.text, rule_source: { file: one.text, line: 1 }, notes: [one.text], parts: [{ text: one.text, outcome: 'ask', why: one.text, decided: true, span: [0, 1] }] },
      change: { path: one.text, lines: [`+${one.text}`, `-${one.text}`, ` ${one.text}`], note: one.text }, context: { prompt: one.text, turns: [{ who: 'model', text: one.text, tool: one.text }, { who: 'tool', text: one.text }] },
      earlier: { approved: 1, denied: 1, last: [['done', one.text]] }, files: [{ path: one.text, access: 'writes', inside: false, problem: one.text }],
      suggestion: { updates: [{ type: 'addRules', rules: [one.text], account: one.text, destination: 'local', file: one.text, scopes: ['local'] }], covers: 1, denied: 0, examples: [['done', one.text]] },
    }),
  }));
  fake.park('questions', { questions: hostile.map(({ text }) => ({ question: text, header: text, multiSelect: false, options: [{ label: text, description: text }] })) });
  const page = await flow.open(fake);
  await clean(page, 'the list');

  const width = await page.locator('#call').evaluate((node) => node.getBoundingClientRect().width);
  for (const { name, id, chips, text } of cases) {
    await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, id);
    await page.locator(`#call article`).getByText(id).waitFor();
    const shown = await page.locator('#call .untrusted .named').filter({ hasText: /^command/ }).first().textContent();
    for (const chip of chips) assert.ok(shown.includes(chip), `${name}: ${chip} is to be seen in ${JSON.stringify(shown)}`);
    if (chips.length === 0 && text.length < 1000) assert.ok(shown.includes(text), `${name}: the text stands as it is`);
    await clean(page, name);
    for (const part of ['#call', '#queue', '#context']) {
      assert.ok(await page.locator(part).evaluate((node) => node.scrollWidth <= node.clientWidth), `${name}: ${part} is as wide as before`);
    }
    assert.equal(await page.locator('#call').evaluate((node) => node.getBoundingClientRect().width), width, `${name}: the columns keep their width`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').waitFor();
    await clean(page, `${name}, in the editor`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Approve + rule' }).click();
    await page.getByRole('dialog').waitFor();
    await clean(page, `${name}, as a rule`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  await page.locator('#list').getByRole('button', { name: /Answer 3 questions/ }).click();
  await shows(page, /Answer 3 questions/);
  await clean(page, 'questions');

  // What comes after an answer is as hostile.
  const { id, text } = cases[0];
  await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, id);
  await page.locator('#call article').getByText(id).waitFor();
  fake.tickets.get(id).asker = undefined;
  fake.session(id, { state: 'done', running: false, turns: cases.map((one) => ({ who: 'tool', text: one.text, tool: one.text })), result: cases.map((one) => one.text).join('\n') });
  fake.move(id, 'done', text, { decision: 'allow', reason: text });
  await page.getByText('The session is done').waitFor();
  await clean(page, 'the session');
  await flow.sound(page, 'hostile texts');
  await eventually(() => clean(page, 'at the end'));
}
