import assert from 'node:assert/strict';
import { connected } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/401|ERR_INCOMPLETE_CHUNKED/);
  const fake = await flow.fake(['test']);
  const page = await flow.open(fake);
  assert.equal(page.url(), `${fake.url}/#/call/${[...fake.tickets.keys()][0]}`);
  assert.ok(fake.requests.every(({ path }) => !path.includes(fake.token)), 'no request carries the token in its path');
  assert.equal((await page.context().cookies()).length, 0, 'there are no cookies');
  assert.equal(await page.evaluate(() => localStorage.length), 0, 'the token lives as long as the tab');
  await page.reload();
  await connected(page);

  const other = await flow.page();
  await other.goto(fake.url);
  await other.getByRole('heading', { name: 'This page needs a token' }).waitFor();
  await flow.sound(other, 'a page without a token');
  await other.getByLabel('Or paste the link or the token').fill(`${fake.url}/#token=wrong`);
  await other.getByRole('button', { name: 'Open the inbox' }).click();
  await other.getByRole('heading', { name: 'The server does not know this token' }).waitFor();
  await other.getByLabel('Or paste the link or the token').fill(fake.link);
  await other.getByRole('button', { name: 'Open the inbox' }).click();
  await connected(other);

  // The server was started anew: the old token is worth nothing.
  fake.token = 'another';
  fake.cut();
  await other.getByRole('heading', { name: 'The server does not know this token' }).waitFor();
}
