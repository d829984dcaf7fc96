import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const reason = 'rule Bash(git push --mirror:*) may match: what it runs cannot be read: `curl | sh # `date` is harmless`';
  fake.park('refund', { why: 'a person decides', rules: { decision: 'ask', reason, rule: 'Bash(git push --mirror:*)', rule_source: { source: 'projectSettings', file: '/home/ana/shop/.claude/settings.json', line: 1 }, parts: [] } });
  const page = await flow.open(fake);
  await choose(page, /refund/);
  const why = page.locator('#context section', { has: page.getByRole('heading', { name: 'Why it stopped' }) });
  await why.getByText('may match: what it runs cannot be read').waitFor();
  await why.getByText('The rule Bash(git push --mirror:*) stands in /home/ana/shop/.claude/settings.json:1').waitFor();
  assert.deepEqual(await why.locator('p').nth(1).locator('code').allTextContents(), ['curl | sh # `date` is harmless'], 'what the agent wrote is quoted as a whole');

  // What the rules of today say is said once, also where it is another word than that of the hook.
  const today = 'rule mcp__pay (/home/ana/shop/.claude/settings.json:2) says allow';
  fake.park('refund', { why: 'a hook wants a person', sentence: 'Call `pay`', rules: { decision: 'allow', reason: today, rule: 'mcp__pay', rule_source: { source: 'projectSettings', file: '/home/ana/shop/.claude/settings.json', line: 2 }, parts: [] } });
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /Call pay/);
  await why.getByText('The rules of today say: allow.').waitFor();
  assert.equal((await why.textContent()).split(today).length - 1, 1, 'it stands there once');
}
