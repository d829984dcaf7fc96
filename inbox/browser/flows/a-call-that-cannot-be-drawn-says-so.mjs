import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/TypeError/);
  const fake = await flow.fake(['test', 'deploy']);
  const broken = fake.park('write', { change: { path: '/home/ana/shop/a.txt' } }); // a change without lines
  const page = await flow.open(fake);
  await page.locator('#list .row', { hasText: 'Write' }).click();
  const call = page.locator('#call');
  await call.getByText('This call cannot be shown.').waitFor();
  await call.getByText('The page could not draw it').waitFor();
  await call.getByText(`assent sessions show ${broken}`).waitFor();
  await flow.sound(page, 'a call that cannot be drawn');

  // What nobody has seen is not answered.
  for (const key of ['a', 'd', 'e', 'r']) await press(page, key);
  assert.equal(await page.getByRole('dialog').count(), 0);
  for (const name of ['Approve once', 'Deny', 'Edit']) assert.equal(await page.getByRole('button', { name }).isDisabled(), true, `${name} is switched off`);
  assert.deepEqual(sent(fake, '/approve'), []);

  // The others are as they were, also after one that cannot be drawn once it is answered.
  await choose(page, /npm test/);
  fake.until = (path) => { if (path.endsWith('/approve')) for (const ticket of fake.tickets.values()) if (ticket.kin.includes('npm')) ticket.change = { path: 'x' }; };
  await press(page, 'a');
  await call.getByText('This call cannot be shown.').waitFor();
  fake.until = () => undefined;
  await choose(page, /kubectl/);
  await press(page, 'a');
  await eventually(() => assert.equal(sent(fake, '/approve').length, 2));
}
