import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// The difference is that of the file as it is now. A yes to another one is not taken, and what its giver
// was shown stays with it.
export default async function (flow) {
  flow.expected.push(/409/);
  const real = await flow.real();
  await real.write('price.txt', 'first\nold\n');
  const id = await real.park('Edit', { file_path: `${real.dir}/price.txt`, old_string: 'old', new_string: 'new' });
  const page = await flow.open(real);
  const call = page.locator('#call');
  await choose(page, /price\.txt/);
  await call.locator('.diff', { hasText: 'first' }).waitFor();

  // Whoever comes back to the page sees the file as it is by then.
  await real.write('price.txt', 'second\nold\n');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await call.locator('.diff', { hasText: 'second' }).waitFor();
  assert.equal(await call.locator('.diff', { hasText: 'first' }).count(), 0);

  // What has changed since is seen before it is approved.
  await real.write('price.txt', 'third\nold\n');
  await press(page, 'a');
  await call.getByText('the file is not what it was when the change was shown').waitFor();
  await call.locator('.diff', { hasText: 'third' }).waitFor();
  assert.equal((await real.get(`tickets/${id}`)).state, 'pending');
  await flow.sound(page, 'a change of a file that has changed');
  await press(page, 'a');
  await call.getByText('Approved by ann@test at').waitFor();

  // And what was seen stays with the answer.
  await real.write('price.txt', 'fourth\n');
  await page.reload();
  await call.getByText('What ann@test was shown:').waitFor();
  await call.locator('.diff', { hasText: 'third' }).waitFor();
  assert.equal(await call.locator('.diff', { hasText: 'fourth' }).count(), 0);
  await flow.sound(page, 'what was seen when it was approved');
}
