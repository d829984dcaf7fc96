import assert from 'node:assert/strict';
import { connected, eventually, signIn } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/401|ERR_INCOMPLETE_CHUNKED/);
  const people = new People({ ana: { role: 'approver' }, mallory: { role: 'approver' } }, 'Example');
  people.comes = 'ana';
  const fake = await flow.fake(['test'], { people });
  const link = () => `${fake.url}/#token=${people.enter('mallory')}`;
  const kept = (page) => page.evaluate(() => sessionStorage.getItem('assent-token'));

  // Who has not begun to sign in is nobody by a link.
  const page = await flow.page();
  await page.goto(link());
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('It was not used').waitFor();
  assert.ok(!page.url().includes('token'), 'the token leaves the address all the same');
  assert.equal(await kept(page), null);
  await flow.sound(page, 'a form after a link of somebody else');

  // Who is signed in stays who they are, in the open page and when it is loaded anew.
  await signIn(page, 'ana');
  await connected(page);
  const own = await kept(page);
  await page.evaluate((address) => { location.href = address; }, link());
  await eventually(() => assert.ok(!page.url().includes('token')));
  assert.equal(await kept(page), own);
  await page.goto('about:blank');
  await page.goto(link());
  await connected(page);
  assert.equal(await kept(page), own);

  // A sign-in that was begun and left counts for no later link.
  const other = await flow.page();
  await other.goto(fake.url);
  await other.route('**/oidc/start', (route) => route.fulfill({ contentType: 'text/html', body: 'the other server' }));
  await other.getByRole('button', { name: 'Sign in with Example' }).click();
  await other.getByText('the other server').waitFor();
  await other.goto(fake.url);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.goto('about:blank');
  await other.goto(link());
  await other.getByText('It was not used').waitFor();
  assert.equal(await kept(other), null);

  // And one that comes to its end counts.
  await other.unroute('**/oidc/start');
  await other.getByRole('button', { name: 'Sign in with Example' }).click();
  await connected(other);
  assert.deepEqual(await other.evaluate(() => Object.keys(sessionStorage)), ['assent-token'], 'nothing else is left');
}
