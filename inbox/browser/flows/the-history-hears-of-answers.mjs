import assert from 'node:assert/strict';
import { choose, connected, press } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'deploy']);
  fake.park('refund', { expires: 82_000 });
  const page = await flow.open(fake);
  const id = (part) => [...fake.tickets.values()].find(({ kin }) => kin.includes(part)).id;
  await connected(page);
  await page.getByRole('button', { name: 'History' }).click();
  const row = (text) => page.locator('#list li', { hasText: text });
  await row('refund').getByText('expires in').waitFor();
  fake.move(id('refund'), 'denied', 'bo', { decision: 'deny', reason: 'no' });
  await row('refund').getByText('denied').waitFor();
  assert.equal(await row('refund').getByText('expires in').count(), 0);

  await choose(page, /kubectl/);
  await press(page, 'a');
  await row('kubectl').getByText('approved').waitFor();
}
