import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['questions']);
  fake.park('test', { no_rule: 'a rule wants such calls asked each time: rule Bash(npm:*) says ask' });
  const page = await flow.open(fake);
  await choose(page, /npm test/);
  const button = page.getByRole('button', { name: 'Approve + rule' });
  assert.equal(await button.isDisabled(), true);
  assert.match(await button.getAttribute('title'), /a rule wants such calls asked each time/);
  await page.locator('#context').getByText('a rule wants such calls asked each time: rule Bash(npm:*) says ask').waitFor();
  await press(page, 'r');
  const dialog = page.getByRole('dialog', { name: 'There is no rule to add' });
  await dialog.getByText('a rule wants such calls asked each time').waitFor();
  await flow.sound(page, 'why there is no rule');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });

  await choose(page, /Answer 3 questions/);
  assert.match(await button.getAttribute('title'), /A question is answered each time/);
  assert.deepEqual(sent(fake, '/approve'), []);
}
