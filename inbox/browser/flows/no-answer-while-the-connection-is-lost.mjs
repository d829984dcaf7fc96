import assert from 'node:assert/strict';
import { choose, connected, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/Failed to load resource|net::ERR/);
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  const places = () => page.locator('#list li, #call article > *').evaluateAll((all) => all.map((node) => node.getBoundingClientRect().top));
  const before = await places();
  fake.down = true;
  fake.cut();
  await page.getByRole('alert').getByText('The connection to the server is lost.').waitFor();
  assert.deepEqual(await places(), before, 'nothing moves');
  for (const name of ['Approve once', 'Deny', 'Edit', 'Approve + rule']) assert.equal(await page.getByRole('button', { name }).isDisabled(), true, `${name} is switched off`);
  await press(page, 'a');
  await press(page, 'd');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await flow.sound(page, 'a lost connection');

  // What happens meanwhile is not lost.
  fake.park('push');
  fake.down = false;
  await connected(page);
  await page.getByText('The connection to the server is lost.').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /1 new/ }).waitFor();
  assert.deepEqual(sent(fake, '/approve'), []);

  // An answer of which nobody knows whether it arrived is said to be that.
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
  await page.route('**/approve', (route) => route.abort());
  await press(page, 'a');
  await page.getByRole('alert').getByText('nobody knows whether it took the answer').waitFor();
  await flow.sound(page, 'an answer that may be lost');
}
