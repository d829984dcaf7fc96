import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.real();
  const id = await real.park('Bash', { command: 'make release' });
  await real.park('Bash', { command: 'make other' });
  await real.record(id, 'defer', 'allow');
  const page = await flow.open(real);
  await choose(page, /make release/);
  const record = page.getByRole('region', { name: 'On record' });
  await record.getByText('no. 1', { exact: true }).waitFor();
  await record.getByText('allowed, answered by ann@test').waitFor();
  await record.getByText('The record is whole up to no. 2').waitFor();
  await flow.sound(page, 'a call with its record, on the real server');

  const other = await flow.open(real);
  await choose(other, /make release/);
  await page.locator('#looking').getByText('Another window has this call open, too').waitFor();
  await other.locator('#looking').getByText('Another window has this call open, too').waitFor();
  await choose(other, /make other/);
  await page.locator('#looking').waitFor({ state: 'hidden' });
  await page.locator('#list li', { hasText: 'make other' }).getByText('another window').waitFor();
  await other.close();
  await page.locator('#list li', { hasText: 'make other' }).getByText('another window').waitFor({ state: 'detached' });

  // Somebody edits the record while the server runs.
  await real.spoil();
  await choose(page, /make other/);
  await record.getByText('Not verified').waitFor();
  await choose(page, /make release/);
  await record.getByText('Not verified').waitFor();
  assert.equal((await real.get(`tickets/${id}/audit`)).state, 'unverified');
}
