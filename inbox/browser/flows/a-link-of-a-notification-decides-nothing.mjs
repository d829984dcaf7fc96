import assert from 'node:assert/strict';
import { connected, eventually, press, reached, sent, shows, signIn } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/401|410/);
  const people = new People({ ana: { role: 'approver' } }, 'Example');
  people.comes = 'ana';
  const fake = await flow.fake(['test', 'refund', 'deploy', 'push'], { people });
  const ticket = (part) => [...fake.tickets.values()].find(({ kin }) => kin.includes(part));
  const from = (page) => page.locator('#call').getByText('From the notification.');

  // After signing in the call is there, and nothing is decided.
  const link = fake.linkTo(ticket('refund').id);
  const page = await flow.enter(fake, 'ana', { at: `#/confirm/${link}` });
  await shows(page, /refund/);
  await from(page).waitFor();
  assert.equal(page.url(), `${fake.url}/#/call/${ticket('refund').id}`);
  assert.equal(ticket('refund').state, 'pending');
  assert.equal(fake.links.get(link).used, false);
  await flow.sound(page, 'a call from a notification');
  assert.ok(sent(fake, '/links').every((body) => body.link === link));

  // Another call has nothing to do with it.
  await page.keyboard.press('j');
  await shows(page, /npm test|kubectl/);
  assert.equal(await from(page).count(), 0);
  await page.evaluate((id) => { location.hash = `#/call/${id}`; }, ticket('npm').id);
  await shows(page, /npm test/);
  await press(page, 'a');
  await eventually(() => assert.equal(sent(fake, '/approve').length, 1));
  assert.equal('link' in sent(fake, '/approve')[0], false);

  // The answer to its call uses it up.
  await page.evaluate((id) => { location.hash = `#/call/${id}`; }, ticket('refund').id);
  await shows(page, /refund/);
  await from(page).waitFor();
  await press(page, 'd');
  await page.keyboard.type('The parcel has arrived.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Denied by ana at').waitFor();
  assert.equal(sent(fake, '/deny')[0].link, link);
  assert.equal(fake.links.get(link).used, true);

  // Who opens it once more sees what became of the call.
  await page.evaluate((text) => { location.hash = `#/confirm/${text}`; }, link);
  await page.locator('#call').getByText('An answer was given with this link already').waitFor();
  await page.getByText('Denied by ana at').waitFor();

  // A link that is over says so, with the way out.
  fake.links.delete(link);
  await page.evaluate((text) => { location.hash = `#/confirm/${text}`; }, link);
  await page.getByRole('alert').getByText('This link leads nowhere any more.').waitFor();
  await page.getByText('this link is too old').waitFor();
  assert.equal(await page.locator('#call article').count(), 0, 'no other call comes up in its place');
  await flow.sound(page, 'a link that is over');
  assert.ok((await reached(page)).includes('Show what waits'));
  await page.getByRole('button', { name: 'Show what waits' }).press('Enter');
  await shows(page, /git push/);

  // Somebody uses the link while its call is looked at: the answer does not count, the next one goes without it.
  const second = fake.linkTo(ticket('kubectl').id);
  await page.evaluate((text) => { location.hash = `#/confirm/${text}`; }, second);
  await shows(page, /kubectl/);
  await from(page).waitFor();
  fake.links.get(second).used = true;
  await press(page, 'a');
  await page.getByRole('alert').getByText('you can answer it without the link').waitFor();
  assert.equal(ticket('kubectl').state, 'pending');
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  assert.deepEqual(sent(fake, '/approve').slice(1).map((body) => body.link), [second, undefined]);

  // On a phone, by another server, and with a connection that is not there at first.
  const third = fake.linkTo(ticket('push').id);
  const phone = await flow.page({ size: 'phone' });
  await phone.goto(`${fake.url}/#/confirm/${third}`);
  await phone.getByRole('button', { name: 'Sign in with Example' }).tap();
  await connected(phone);
  await shows(phone, /git push/);
  await from(phone).waitFor();
  await flow.sound(phone, 'a call from a notification, on a phone');
  const lost = fake.linkTo(ticket('push').id);
  flow.expected.push(/net::ERR/);
  fake.until = (path) => (path.endsWith('/links') ? new Promise(() => {}) : undefined);
  await phone.evaluate((text) => { location.hash = `#/confirm/${text}`; }, lost);
  await phone.getByText('Opening the link of the notification').waitFor();
  Object.assign(fake, { down: true, until: () => undefined });
  fake.server.closeAllConnections();
  await phone.getByRole('button', { name: 'Try again' }).waitFor();
  fake.down = false;
  await phone.getByRole('button', { name: 'Try again' }).tap();
  await shows(phone, /git push/);

  // A wrong password leads nowhere, and then the link is still good.
  const late = await flow.page();
  await late.goto(`${fake.url}/#/confirm/${third}`);
  await signIn(late, 'ana', 'wrong');
  await late.getByRole('alert').getByText('The name or the password is wrong').waitFor();
  await signIn(late, 'ana');
  await shows(late, /git push/);
  assert.equal(fake.links.get(third).used, false, 'it was opened by two, and used by nobody');
}
