import assert from 'node:assert/strict';
import { choose, connected, eventually, press, shows } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/401|ERR_INCOMPLETE_CHUNKED/);
  const people = new People({ ana: { role: 'approver' } }, 'Ex\u202Eample');
  people.comes = 'ana';
  const fake = await flow.fake(['test', 'refund'], { people });
  const refund = [...fake.tickets.values()].find(({ kin }) => kin.includes('refund')).id;
  const page = await flow.page();
  await page.clock.install({ time: fake.now() });
  await page.goto(`${fake.url}/#/call/${refund}`);
  const other = page.getByRole('button', { name: /Sign in with Ex ?⟨U\+202E⟩ ?ample/ });
  await other.waitFor();
  await flow.sound(page, 'a form with another server');
  await other.click();
  await connected(page);
  await shows(page, /refund/);
  assert.equal(page.url(), `${fake.url}/#/call/${refund}`, 'the token leaves the address, and the call is there');

  // What was typed survives the way there and back.
  await page.getByLabel('Comment, for the others').fill('Has anybody asked');
  await choose(page, /refund/);
  await press(page, 'd');
  await page.keyboard.type('The parcel has');
  fake.signOut('ana');
  await page.clock.fastForward(1_000);
  await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await connected(page);
  await shows(page, /refund/);
  await eventually(async () => assert.equal(await page.getByLabel('Comment, for the others').inputValue(), 'Has anybody asked'));
  await press(page, 'd');
  assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), 'The parcel has');
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), ['assent-token'], 'nothing else is left');
}
