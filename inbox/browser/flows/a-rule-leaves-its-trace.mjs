import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy');
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  fake.move(id, 'approved', 'bo', { decision: 'allow' });
  fake.note(id, 'comment', 'bo', 'I have looked at the tests');
  fake.note(id, 'comment', 'assent', 'bo added the rule Bash(kubectl set image:*) for the project');
  const steps = page.locator('#context section', { has: page.getByRole('heading', { name: 'What happened to it' }) }).getByRole('listitem');
  await steps.getByText('bo added the rule').waitFor();
  assert.deepEqual((await steps.allTextContents()).map((text) => text.replace(/^\d\d:\d\d:\d\d/, '')).slice(1), ['approved by bo', 'bo added the rule Bash(kubectl set image:*) for the project']);
  const comments = page.getByRole('region', { name: 'Comments' });
  await comments.getByText('I have looked at the tests').waitFor();
  assert.equal(await comments.getByText('added the rule').count(), 0, 'no person wrote that');
  await flow.sound(page, 'a rule in the history of a call');
}
