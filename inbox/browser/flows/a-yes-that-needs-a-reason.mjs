import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake();
  const terms = { reason: true };
  for (const name of ['test', 'refund', 'deploy', 'push', 'questions']) fake.park(name, { terms });
  const page = await flow.open(fake);
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByLabel('Reason for the yes, which is kept on record');
  const missing = dialog.getByRole('alert').getByText('Write a reason');
  const last = () => sent(fake, '/approve').at(-1);

  await choose(page, /npm test/);
  await press(page, 'a');
  assert.ok(await reason.evaluate((node) => node === document.activeElement), 'one can type at once');
  await page.keyboard.press('Control+Enter');
  await missing.waitFor();
  await reason.fill('  \n ');
  await dialog.getByRole('button', { name: 'Approve once' }).click();
  await missing.waitFor();
  await flow.sound(page, 'a reason that is missing');
  assert.deepEqual(sent(fake, '/approve'), [], 'it is never sent blank');
  await reason.fill('I have asked for it.');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Approve once' }).click();
  assert.equal(await reason.inputValue(), 'I have asked for it.', 'what was typed is kept');
  await page.keyboard.press('Control+Enter');
  await page.getByText('I have asked for it.').first().waitFor();
  assert.equal(last().reason, 'I have asked for it.');

  // In every dialog that ends with a yes.
  await choose(page, /git push/);
  await press(page, 'a');
  await dialog.getByLabel('Type main to approve').fill('main');
  await dialog.getByRole('button', { name: 'Approve once' }).click();
  await missing.waitFor();
  await reason.fill('squashed');
  await dialog.getByRole('button', { name: 'Approve once' }).click();
  await eventually(() => assert.deepEqual([last().confirm, last().reason], ['main', 'squashed']));

  await choose(page, /kubectl/);
  await press(page, 'r');
  await dialog.getByRole('button', { name: 'Approve and add the rule' }).click();
  await missing.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'e');
  await dialog.getByLabel('command').fill('kubectl version');
  const button = dialog.getByRole('button', { name: 'Approve as edited' });
  await eventually(async () => assert.equal(await button.isEnabled(), true));
  await button.click();
  await missing.waitFor();
  await reason.fill('only the version');
  await flow.sound(page, 'an edit with a reason');
  await button.click();
  await eventually(() => assert.deepEqual([last().input?.command, last().reason], ['kubectl version', 'only the version']));

  await choose(page, /Answer 3 questions/);
  const form = page.locator('#questions');
  for (const box of await form.locator('fieldset').all()) await box.locator('input').first().check();
  const before = sent(fake, '/approve').length;
  await page.getByRole('button', { name: 'Send answers' }).click();
  await reason.fill('that is what we want');
  assert.equal(sent(fake, '/approve').length, before);
  await page.keyboard.press('Control+Enter');
  await eventually(() => assert.equal(last().reason, 'that is what we want'));
  assert.ok(last().answers.length >= 3);
}
