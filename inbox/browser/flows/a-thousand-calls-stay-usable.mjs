import assert from 'node:assert/strict';
import { eventually, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake();
  for (let i = 0; i < 850; i++) fake.park('test', { sentence: `Run \`make part${i}\``, ago: 100 + i });
  for (let i = 0; i < 150; i++) fake.park('refund', { session: 'one-that-floods', ago: 150.5 + i / 1000, risk: 'low' });
  const page = await flow.open(fake);
  const rows = page.locator('#list li');
  await eventually(async () => assert.equal(await rows.count(), 50));
  assert.match(await page.title(), /^\(1000\) /);
  for (let shown = 100; shown <= 200; shown += 50) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(async () => assert.equal(await rows.count(), shown));
  }
  assert.ok(await rows.nth(150).getByRole('button').evaluate((node) => node === document.activeElement), 'the focus goes on with the list');
  await page.getByText('50 more calls of one session').waitFor();
  await flow.sound(page, 'a long list');

  // From key to call, with the list as long as it is.
  await rows.first().getByRole('button').click();
  await shows(page, /make part0$/);
  for (const n of [1, 2, 3]) {
    const begun = Date.now();
    await page.keyboard.press('j');
    await shows(page, new RegExp(`make part${n}$`));
    assert.ok(Date.now() - begun < 3_000, 'the next call comes at once');
  }
}
