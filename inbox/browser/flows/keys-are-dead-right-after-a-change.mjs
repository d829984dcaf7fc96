import assert from 'node:assert/strict';
import { choose, held, sent, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['refund', 'write', 'test']);
  const page = await flow.open(fake);
  await choose(page, /docs\/release\.md/);
  await page.clock.pauseAt(fake.now() + 3_000);

  await page.keyboard.press('j');
  await shows(page, /refund/);
  await page.keyboard.press('a');
  await page.clock.runFor(390);
  await page.keyboard.press('a');
  await page.keyboard.press('d');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(sent(fake, '/approve'), [], 'keys are dead for 400 ms');

  await page.keyboard.press('k');
  await shows(page, /docs\/release\.md/);
  await page.keyboard.press('j');
  await shows(page, /refund/);
  assert.deepEqual(sent(fake, '/approve'), [], 'looking around goes on all the same');

  await page.clock.runFor(410);
  await page.keyboard.down('d');
  await page.getByRole('dialog', { name: 'Deny this call' }).waitFor();
  await page.keyboard.up('d');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // A key that is held down does not answer what comes up under it.
  await page.keyboard.press('j');
  await shows(page, /npm test/);
  await page.keyboard.down('a');
  await page.clock.runFor(500);
  await page.keyboard.down('a');
  await page.keyboard.down('a');
  await page.keyboard.up('a');
  assert.deepEqual(sent(fake, '/approve'), []);

  // A call that is slow to load cannot be answered before it is there, nor right after.
  const arrived = held();
  fake.until = (path) => (/tickets\/[a-z0-9]+$/.test(path) ? arrived.promise : undefined);
  await page.keyboard.press('k');
  await page.getByText('Loading the call…').waitFor();
  await page.clock.runFor(2_000);
  await page.keyboard.press('a');
  arrived.resolve();
  await shows(page, /refund/);
  await page.keyboard.press('a');
  assert.deepEqual(sent(fake, '/approve'), []);
  await page.clock.runFor(410);
  await page.keyboard.press('a');
  await page.getByText('Approved by ana at').waitFor();
  assert.equal(sent(fake, '/approve').length, 1);
}
