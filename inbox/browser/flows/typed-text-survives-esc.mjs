import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['deploy', 'refund']);
  fake.park('test', { input: { command: 'echo a\u200Bb' }, sentence: 'Run `echo hidden`' });
  const page = await flow.open(fake);
  const dialog = page.getByRole('dialog');

  await choose(page, /refund/);
  await press(page, 'd');
  await page.keyboard.type('The parcel has');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'd');
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'The parcel has');
  await page.keyboard.type(' arrived.');
  await page.keyboard.press('Control+Enter');
  await eventually(() => assert.equal(sent(fake, '/deny')[0]?.reason, 'The parcel has arrived.'));

  await choose(page, /kubectl/);
  await press(page, 'e');
  await dialog.getByLabel('command').fill('kubectl version');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'e');
  assert.equal(await dialog.getByLabel('command').inputValue(), 'kubectl version');
  await eventually(async () => assert.equal(await dialog.getByRole('button', { name: 'Approve as edited' }).isEnabled(), true));
  await page.keyboard.press('Escape');

  // A text that has to be edited as JSON says how.
  await choose(page, 'Run echo hidden');
  await press(page, 'e');
  await dialog.getByLabel(/^command/).fill('ls');
  await dialog.getByText('Keep the quotation marks').waitFor();
}
