import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const denied = fake.park('refund');
  const done = fake.park('deploy');
  fake.park('edit', { doubt: 'the file has not been read in this session, so the tool will refuse to change it', rules: { decision: 'ask', reason: 'no rule', parts: [], notes: ['the PreToolUse hooks of /home/ana/x.json:1 run before the rules and are not part of this answer'] } });
  const page = await flow.open(fake);
  const steps = page.locator('#context section', { has: page.getByRole('heading', { name: 'What happened to it' }) }).getByRole('listitem');
  const words = async () => (await steps.allTextContents()).map((text) => text.replace(/^\d\d:\d\d:\d\d/, ''));

  await choose(page, /refund/);
  fake.move(denied, 'denied', 'bo', { decision: 'deny', reason: 'no' });
  fake.move(denied, 'refused', 'process 7');
  await page.getByText('The agent was told no').waitFor();
  assert.deepEqual((await words()).slice(1), ['denied by bo: no', 'the agent was told no, by process 7']);

  await choose(page, /kubectl/);
  fake.move(done, 'approved', 'bo', { decision: 'allow' });
  fake.move(done, 'running', 'assent');
  fake.move(done, 'failed', 'assent');
  await steps.getByText('it failed').waitFor();
  assert.deepEqual((await words()).slice(1), ['approved by bo', 'begun by assent', 'it failed, says assent']);

  await choose(page, /price\.ts/);
  await page.locator('#call').getByText('It will most likely fail.').waitFor();
  await page.locator('#call').getByText('the file has not been read in this session').waitFor();
  await page.locator('#context').getByText('About what the rules say: the PreToolUse hooks of').waitFor();
  await flow.sound(page, 'a call that will fail');
}
