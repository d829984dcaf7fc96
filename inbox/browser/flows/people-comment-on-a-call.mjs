import assert from 'node:assert/strict';
import { choose, eventually, held, press, sent, shows } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/net::ERR/);
  const fake = await flow.fake(['test', 'deploy'], { people: new People({ ana: { role: 'approver' }, ben: { role: 'viewer' } }) });
  const id = [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl')).id;
  const [ana, ben] = [await flow.enter(fake, 'ana'), await flow.enter(fake, 'ben', { size: 'phone' })];
  await choose(ana, /kubectl/);
  await ben.locator('#list').getByRole('button', { name: /kubectl/ }).tap();
  await shows(ben, /kubectl/);
  const box = (page) => page.locator('#comments');
  const field = (page) => page.getByLabel('Comment, for the others');
  await box(ana).getByText('Nobody has written anything yet.').waitFor();

  // It arrives before the others, and nothing else moves.
  await ben.evaluate(() => { document.querySelector('#call details').open = true; });
  await field(ben).fill('half a sent');
  await field(ana).click();
  await ana.keyboard.type('Is the image signed? ajxder');
  await ana.keyboard.press('Control+Enter');
  await box(ben).getByText('Is the image signed? ajxder').waitFor();
  await box(ben).getByText('What people wrote').waitFor();
  assert.deepEqual(sent(fake, '/comment'), [{ text: 'Is the image signed? ajxder' }]);
  assert.equal(await field(ana).inputValue(), '');
  assert.equal(await field(ben).inputValue(), 'half a sent', 'what is being typed stays');
  assert.ok(await field(ben).evaluate((node) => node === document.activeElement), 'and the focus');
  assert.equal(await ben.locator('#call details').first().evaluate((node) => node.open), true, 'and what is open');
  await eventually(async () => assert.equal(await ben.locator('#announce').textContent(), 'ana has commented on this call.'));
  await flow.sound(ana, 'a call with a comment');
  await field(ben).fill('It is.\nSee the second line.');
  await ben.getByRole('button', { name: 'Comment' }).tap();
  await box(ana).getByText('See the second line.').waitFor();
  await flow.sound(ben, 'comments on a phone');

  // Nothing blank is sent, and what is typed for one call is not sent to another.
  await field(ana).fill('   ');
  await ana.getByRole('button', { name: 'Comment' }).click();
  await field(ana).fill('for the deploy');
  await choose(ana, /npm test/);
  assert.equal(await field(ana).inputValue(), '');
  await box(ana).getByText('Nobody has written anything yet.').waitFor();
  await choose(ana, /kubectl/);
  assert.equal(await field(ana).inputValue(), 'for the deploy');
  assert.equal(sent(fake, '/comment').length, 2);

  // An answer does not throw it away, and calls that are over can be commented, too.
  await ana.locator('#call').focus();
  await press(ana, 'a');
  await ana.getByText('Approved by ana at').waitFor();
  assert.equal(await field(ana).inputValue(), 'for the deploy');
  const slow = held();
  fake.until = (path) => (path.endsWith('/comment') ? slow.promise : undefined);
  await ana.getByRole('button', { name: 'Comment' }).click();
  await ana.getByRole('button', { name: 'Comment' }).click();
  slow.resolve();
  await box(ana).getByText('for the deploy').waitFor();
  assert.equal(sent(fake, '/comment').length, 3, 'two clicks are one comment');
  assert.equal(fake.tickets.get(id).state, 'approved');
  assert.equal(await ana.locator('#facts').getByText('for the deploy').count(), 0, 'it is no step of the call');

  // What was not sent is there to be sent again.
  await field(ana).fill('lost?');
  fake.until = (path) => (path.endsWith('/comment') ? new Promise(() => {}) : undefined);
  await ana.getByRole('button', { name: 'Comment' }).click();
  await eventually(() => assert.equal(sent(fake, '/comment').length, 4));
  fake.down = true;
  fake.server.closeAllConnections();
  await box(ana).getByRole('alert').getByText('The server has not answered').waitFor();
  assert.equal(await field(ana).inputValue(), 'lost?');
}
