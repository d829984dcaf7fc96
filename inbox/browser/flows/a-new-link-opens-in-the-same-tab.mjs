import assert from 'node:assert/strict';
import { connected, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/401|net::ERR/);
  const fake = await flow.fake(['test']);
  const page = await flow.open(fake);
  // The server was started anew, on the same port, with a token as base64 writes it.
  fake.token = 'a+b/c+d/0123456789ABCDEFabcdef+/xyz==';
  fake.cut();
  await page.getByRole('heading', { name: 'The server does not know this token' }).waitFor();
  await page.getByText('--token-file').waitFor();
  await page.evaluate((link) => { location.href = link; }, fake.link);
  await connected(page);
  await shows(page, /npm test/);
  assert.ok(!page.url().includes('token'), 'the token leaves the address');

  const other = await flow.page();
  await other.goto(fake.url);
  await other.getByLabel('Or paste the link or the token').fill(fake.token);
  await other.getByRole('button', { name: 'Open the inbox' }).click();
  await connected(other);
}
