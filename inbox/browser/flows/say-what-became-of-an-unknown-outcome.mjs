import assert from 'node:assert/strict';
import { choose, eventually, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy', { state: 'unknown' });
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await page.getByText('Nobody knows whether it ran.').waitFor();
  await page.getByText('unknown, look').first().waitFor();
  await flow.sound(page, 'an unknown outcome');
  assert.equal(await page.getByRole('button', { name: 'Approve once' }).count(), 0, 'there is nothing to approve');
  await page.getByRole('button', { name: 'It did not run' }).click();
  const dialog = page.getByRole('dialog', { name: 'It did not run' });
  await dialog.getByRole('textbox').fill('The cluster still has 2.13.2.');
  await dialog.getByRole('button', { name: 'It did not run' }).click();
  await eventually(() => assert.equal(fake.tickets.get(id).state, 'pending'));
  assert.deepEqual(sent(fake, '/resolve'), [{ ran: false, note: 'The cluster still has 2.13.2.' }]);
  await page.getByRole('button', { name: 'Approve once' }).waitFor();
}
