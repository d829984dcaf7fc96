import assert from 'node:assert/strict';
import { connected, eventually, reached, sent, shows, signIn } from '../lib/flow.mjs';
import { passwordOf, People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/401|429/);
  const people = new People({ ana: { role: 'approver', shown: 'Ana Berger' }, ben: { role: 'admin' } });
  const fake = await flow.fake(['test'], { people });
  const page = await flow.page();
  await page.clock.install({ time: fake.now() });
  await page.goto(fake.url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.ok(await page.getByLabel('Name').evaluate((node) => node === document.activeElement), 'one can type at once');
  assert.equal(await page.locator('#bar').isVisible(), false);
  await flow.sound(page, 'the form to sign in');

  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Write your name.').waitFor();
  await page.keyboard.type('ana');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Write your password.').waitFor();
  assert.deepEqual(sent(fake, '/sign-in'), [], 'what is not filled in is not sent');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The name or the password is wrong').waitFor();
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  assert.equal(await page.getByLabel('Name').inputValue(), 'ana');
  await flow.sound(page, 'a wrong password');

  // Who has guessed too often is told how long to wait, and nothing is sent before.
  people.hold = 600;
  await signIn(page, 'ana');
  await page.getByRole('alert').getByText('Wait 10 min').waitFor();
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  assert.equal(await button.isDisabled(), true);
  await flow.sound(page, 'somebody who has to wait');
  const tries = sent(fake, '/sign-in').length;
  await page.getByLabel('Password').press('Enter');
  await page.clock.fastForward(300_000);
  await page.getByRole('alert').getByText('Wait 5 min').waitFor();
  assert.equal(sent(fake, '/sign-in').length, tries);
  await page.clock.fastForward(301_000);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  people.hold = 30;
  await button.click();
  await page.getByRole('alert').getByText(/Wait \d\d s/).waitFor();
  people.hold = 0;
  await page.clock.fastForward(31_000);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await signIn(page, 'ana');
  await connected(page);
  await shows(page, /npm test/);
  assert.ok(fake.requests.every(({ path }) => !path.includes('asp_') && !path.includes('password')), 'no address holds what is secret');
  assert.equal((await page.context().cookies()).length, 0, 'there are no cookies');
  assert.equal(await page.evaluate(() => localStorage.length), 0, 'the sign-in lives as long as the tab');
  await page.reload();
  await connected(page);

  // Who one is, and the way out.
  const me = page.getByRole('button', { name: 'ana, approver' });
  await me.waitFor();
  await shows(page, /npm test/);
  const seen = await reached(page);
  for (const name of ['ana, approver', 'Approve once', 'Comment, for the others']) assert.ok(seen.some((text) => text.includes(name)), `Tab reaches ${name}; it reaches ${seen.join(' | ')}`);
  await me.click();
  const dialog = page.getByRole('dialog', { name: 'Signed in' });
  await dialog.getByText('You are ana (Ana Berger), approver.').waitFor();
  await flow.sound(page, 'who one is');
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(sent(fake, '/sign-out').length, 1);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0, 'nothing is left');

  // On a phone.
  const phone = await flow.enter(fake, 'ben', { size: 'phone' });
  await phone.setViewportSize({ width: 320, height: 568 });
  await phone.evaluate(() => { document.getElementById('waiting-count').textContent = '222'; });
  const help = await phone.getByRole('button', { name: 'Keyboard and help' }).boundingBox();
  assert.ok(help.x + help.width <= 320, `nothing is cut off: ${JSON.stringify(help)}`);
  await phone.getByRole('button', { name: 'You', exact: true }).tap();
  await phone.getByText('You are ben, admin.').waitFor();

  // A server that cannot be reached is not taken for a wrong password.
  const late = await flow.page();
  await late.goto(fake.url);
  await late.getByRole('heading', { name: 'Sign in' }).waitFor();
  flow.expected.push(/net::ERR/);
  fake.down = true;
  await signIn(late, 'ana');
  await late.getByRole('alert').getByText('The server does not answer').waitFor();
  assert.equal(await late.getByLabel('Password').inputValue(), passwordOf('ana'));
  fake.down = false;
  await late.getByRole('button', { name: 'Sign in', exact: true }).click();
  await connected(late);
  await eventually(() => assert.equal(sent(fake, '/sign-out').length, 1));
}
