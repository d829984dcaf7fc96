import assert from 'node:assert/strict';
import { choose, connected, eventually, press, sent, shows, signIn } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/401|ERR_INCOMPLETE_CHUNKED/);
  const fake = await flow.fake(['test', 'refund'], { people: new People({ ana: { role: 'approver' }, ben: { role: 'approver' } }) });
  const page = await flow.enter(fake, 'ana');
  const ended = page.getByRole('heading', { name: 'Your sign-in has ended' });
  await choose(page, /refund/);
  await page.getByLabel('Comment, for the others').fill('Has anybody asked');
  await page.locator('#call').focus();
  await press(page, 'd');
  await page.keyboard.type('The parcel has');
  fake.signOut('ana');
  await page.clock.fastForward(1_000);
  await ended.waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await flow.sound(page, 'a sign-in that has ended');

  // Who types on, types into nothing.
  await page.keyboard.type(' arrived a');
  assert.equal(await page.getByLabel('Name').inputValue(), 'ana');
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  await signIn(page, 'ana');
  await connected(page);
  await shows(page, /refund/);
  assert.equal(await page.getByLabel('Comment, for the others').inputValue(), 'Has anybody asked');
  await page.clock.fastForward(2_000); // the keyboard is silent for a while
  await press(page, 'd');
  assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), 'The parcel has', 'what was typed is kept');
  await page.keyboard.press('Escape');

  // The page lives on, with one line to the server.
  await eventually(() => assert.equal(fake.streams.size, 1));
  fake.move([...fake.tickets.values()].find(({ kin }) => kin.includes('npm')).id, 'denied', 'ben', { decision: 'deny', reason: 'no' });
  await page.getByRole('button', { name: 'Load the list again: 1 answered' }).waitFor();

  // An answer that meets the end of the sign-in is not lost without a word.
  fake.people.end('ana');
  await press(page, 'a');
  await ended.waitFor();
  await signIn(page, 'ana');
  await connected(page);
  await page.getByRole('alert').getByText('You are not signed in any more, so nothing was taken').waitFor();
  assert.equal([...fake.tickets.values()].find(({ kin }) => kin.includes('refund')).state, 'pending');

  // What one has typed is nothing to another.
  fake.signOut('ana');
  await page.clock.fastForward(1_000);
  await ended.waitFor();
  await signIn(page, 'ben');
  await page.getByRole('button', { name: 'ben, approver' }).waitFor();
  await connected(page);
  await shows(page, /refund/);
  assert.equal(await page.getByLabel('Comment, for the others').inputValue(), '');
  await press(page, 'd');
  assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), '');
  assert.deepEqual(sent(fake, '/deny'), []);
}
