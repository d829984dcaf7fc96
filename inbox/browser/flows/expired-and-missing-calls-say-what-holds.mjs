import assert from 'node:assert/strict';
import { connected, eventually, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/404/);
  const fake = await flow.fake(['test']);
  const expired = fake.park('deploy', { state: 'expired', expires: -60 });
  const page = await flow.page();
  await page.goto(`${fake.link}&ticket=${expired}`);
  await connected(page);
  await shows(page, /kubectl/);
  assert.equal(new URL(page.url()).hash, `#/call/${expired}`, 'a link can name a call');
  await page.getByText('so it counts as denied').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve once' }).isDisabled(), true);
  await flow.sound(page, 'an expired call');

  await page.evaluate(() => { location.hash = '#/call/zzzzzzzzzzzz'; });
  await page.getByText('There is no such call.').waitFor();
  await flow.sound(page, 'a call that does not exist');

  // One that expires while it is looked at.
  const waiting = fake.park('refund', { expires: 30 });
  await page.evaluate((id) => { location.hash = `#/call/${id}`; }, waiting);
  await shows(page, /refund/);
  await page.getByText(/expires in \d+ s/).first().waitFor();
  fake.move(waiting, 'expired', 'the clock');
  await page.getByText('Its time is over.').waitFor();
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Approve once' }).isDisabled(), true));
}
