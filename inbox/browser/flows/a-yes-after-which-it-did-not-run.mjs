import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

// Somebody has said yes, and the call was refused all the same: that comes first.
export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('write');
  const denied = fake.park('refund');
  const page = await flow.open(fake);
  const call = page.locator('#call');
  const why = 'it was approved for /home/ana/shop/docs/release.md, and the path leads to /srv/other/release.md now';

  await choose(page, /release\.md/);
  fake.move(id, 'approved', 'ana', { decision: 'allow' });
  await call.getByText('Approved by ana at').waitFor();
  assert.equal(await call.getByText('It did not run').count(), 0);
  fake.move(id, 'refused', 'assent', undefined, `Not run: ${why}`);
  fake.session(id, { state: 'done', running: false, turns: [], result: 'I could not write it.' });
  await call.getByText('I could not write it.').waitFor();
  const notice = call.locator('.notice.bad', { hasText: 'It did not run' });
  assert.equal(await notice.textContent(), `It did not run: ${why}`);
  assert.equal(await call.locator('.notice.good').count(), 0, 'nothing went well');
  await call.getByText('Approved by ana at').waitFor();
  await flow.sound(page, 'a yes after which it did not run');

  // A no is a no.
  fake.move(denied, 'denied', 'bo', { decision: 'deny', reason: 'no' });
  fake.move(denied, 'refused', 'assent');
  await page.evaluate((name) => { location.hash = `#/call/${name}`; }, denied);
  await call.getByText('Denied by bo at').waitFor();
  assert.equal(await call.getByText('It did not run').count(), 0);
}
