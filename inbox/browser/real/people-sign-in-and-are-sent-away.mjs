import assert from 'node:assert/strict';
import { connected, eventually, shows, signIn, stop } from '../lib/flow.mjs';

// The real server says who may sign in, how often one may guess, and who has to go.
export default async function (flow) {
  flow.expected.push(/401|429|ERR_INCOMPLETE_CHUNKED/);
  const real = await flow.people();
  await real.wants('make release');
  const ended = (page) => page.getByRole('heading', { name: 'Your sign-in has ended' });

  // The link of the server is worth nothing where people sign in.
  const page = await flow.page();
  await page.clock.install({ time: real.now() });
  await page.goto(`${real.url}/#token=test-token-0123456789-0123456789-0123456789`);
  await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
  await signIn(page, 'ada');
  await connected(page);
  await shows(page, /make release/);
  const token = await page.evaluate(() => sessionStorage.getItem('assent-token'));
  await page.getByRole('button', { name: 'ada, admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signed in' });
  await dialog.getByText('You are ada (Mx ada), admin.').waitFor();
  await dialog.getByText('You may answer calls, and say who else may.').waitFor();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  const { status } = await fetch(`${real.url}/api/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(status, 401, 'the sign-in is over, and not only forgotten');

  // Who guesses has to wait, and gets in with the right one after that.
  const problem = page.getByRole('alert');
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  let said = '';
  await stop(page);
  for (let tries = 0; !said.includes('Too many wrong passwords'); tries++) {
    assert.ok(tries < 20, 'nobody may guess for ever');
    await signIn(page, 'abe', 'guessed and guessed');
    await eventually(async () => assert.ok(await page.getByLabel('Password').inputValue() === '' || await button.isDisabled()));
    said = await problem.textContent();
    assert.match(said, /The name or the password is wrong, or you may not sign in any more|Too many wrong passwords/);
  }
  await problem.getByText(/Wait \d+ s, then try again/).waitFor();
  await page.clock.resume();
  await eventually(async () => assert.equal(await button.isEnabled(), true));
  await signIn(page, 'abe');
  await connected(page);
  await page.getByRole('button', { name: 'abe, approver' }).waitFor();

  // Who is disabled is out at once, with what is typed kept for when that has ended.
  const ben = await flow.enter(real, 'ben');
  await shows(ben, /make release/);
  await ben.getByLabel('Comment, for the others').fill('Half a sent');
  await real.disable('ben');
  await ended(ben).waitFor();
  assert.equal(await ben.locator('#call').isVisible(), false, 'and sees nothing any more');
  await signIn(ben, 'ben');
  await ben.getByRole('alert').getByText('The name or the password is wrong, or you may not sign in any more. An admin can say which').waitFor();
  await real.enable('ben');
  await signIn(ben, 'ben');
  await connected(ben);
  assert.equal(await ben.getByLabel('Comment, for the others').inputValue(), 'Half a sent');

  // Another role is another sign-in.
  const vera = await flow.enter(real, 'vera', { size: 'phone' });
  await vera.locator('#list').getByRole('button', { name: /make release/ }).tap();
  await shows(vera, /make release/);
  assert.equal(await vera.getByRole('button', { name: 'Approve once' }).count(), 0);
  await real.setRole('vera', 'approver');
  await ended(vera).waitFor();
  await signIn(vera, 'vera');
  await connected(vera);
  await eventually(async () => assert.equal(await vera.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
}
