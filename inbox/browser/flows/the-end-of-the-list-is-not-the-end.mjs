import assert from 'node:assert/strict';
import { choose, eventually, press, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake();
  const session = '00000000-0000-4000-8000-00000000f100';
  for (let i = 0; i < 160; i++) fake.park('refund', { session, ago: 1000 + i, sentence: `Call \`flood ${i}\`` });
  for (let i = 0; i < 10; i++) fake.park('test', { ago: 3000 + i, sentence: `Run \`quiet ${i}\`` });
  const page = await flow.open(fake);
  const rows = page.locator('#list li');
  await eventually(async () => assert.equal(await rows.count(), 50));

  // The key goes on where the button would.
  await choose(page, 'Call flood 49');
  await press(page, 'j');
  await shows(page, 'Call flood 50');
  assert.equal(await rows.count(), 100);

  await page.getByRole('button', { name: 'Show more' }).click();
  await eventually(async () => assert.equal(await rows.count(), 110));
  await page.locator('#list').getByText('60 more calls of one session').waitFor();
  await page.locator('#list').getByText(session).waitFor();
  await flow.sound(page, 'a session that asks for too much');
  await choose(page, 'Run quiet 9');
  await press(page, 'j');
  await shows(page, 'Run quiet 9');

  // Skipping to the call leaves the address as it is.
  const address = page.url();
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  assert.ok(await page.locator('#call').evaluate((node) => node === document.activeElement));
  assert.equal(page.url(), address);
}
