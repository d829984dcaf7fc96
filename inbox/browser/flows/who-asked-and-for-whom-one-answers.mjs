import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  const people = new People({ ana: { role: 'approver' }, ben: { role: 'approver', for: ['ana', 'cy'] } });
  const fake = await flow.fake([], { people });
  fake.park('test', { requester: 'ben' });
  fake.park('refund', { requester: 'Ana@build-2', terms: { not_requester: true } });
  const ana = await flow.enter(fake, 'ana');
  await choose(ana, /refund/);
  await ana.getByText('asked for by Ana@build-2').waitFor();
  await ana.getByText('You have asked for this yourself.').waitFor();
  await ana.getByText('Somebody else has to approve it.').waitFor();
  await ana.locator('#bar').getByText('the settings want somebody else to approve it').waitFor();
  assert.equal(await ana.getByRole('button', { name: 'Approve once' }).count(), 0);
  await press(ana, 'a');
  for (const key of ['e', 'r']) await press(ana, key);
  assert.equal(await ana.getByRole('dialog').count(), 0);
  assert.deepEqual(sent(fake, '/approve'), []);
  assert.equal(await ana.getByRole('button', { name: 'Deny' }).isEnabled(), true, 'a no is for everybody');
  await flow.sound(ana, 'what one has asked for oneself');

  // Where that is allowed, it is still said.
  const ben = await flow.enter(fake, 'ben');
  await choose(ben, /npm test/);
  await ben.getByText('Look at it as if somebody else had.').waitFor();
  assert.equal(await ben.getByRole('button', { name: 'Approve once' }).isEnabled(), true);

  // A deputy knows for whom.
  await choose(ben, /refund/);
  await ben.locator('#call').getByText('You answer for ana and cy.').waitFor();
  await flow.sound(ben, 'a deputy');
  await ben.getByRole('button', { name: 'ben, approver' }).click();
  await ben.getByRole('dialog').getByText('You answer for ana and cy.').waitFor();
  await ben.keyboard.press('Escape');
  await ben.getByRole('dialog').waitFor({ state: 'detached' });
  await press(ben, 'a');
  await ben.getByText('Approved by ben at').waitFor();
}
