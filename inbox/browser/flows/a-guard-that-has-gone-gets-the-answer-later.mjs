import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// The agent of somebody else has been told no for now. What is answered then is not lost, and
// does not happen at once: the page says both, before and after.
export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy', { asker: 'codex', guard: 'waits', expires: 3600 });
  fake.park('refund', { asker: 'cursor', guard: 'unknown', expires: 3600 });
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  const call = page.locator('#call');
  await call.getByText('held by the guard of codex, which waits').waitFor();
  assert.equal(await call.getByText('stopped waiting').count(), 0);

  fake.guard(id, 'gone');
  await call.getByText('Its agent has stopped waiting.').waitFor();
  await call.getByText(/If you approve, codex gets the answer when it tries this call again, until \d\d:\d\d:\d\d\./).waitFor();
  assert.equal(await call.getByText('which waits').count(), 0);
  await flow.sound(page, 'a call whose guard has gone');
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  await call.getByText(/codex gets the answer when it tries this call again, until \d\d:\d\d:\d\d\. Nothing runs before\./).waitFor();
  await flow.sound(page, 'an answer that waits for its agent');
  fake.move(id, 'handed', 'the guard of codex');
  await call.getByText('stopped waiting').waitFor({ state: 'detached' });

  await choose(page, /refund/);
  await call.getByText('cursor gets the answer at once if its guard still waits, or else when it tries this call again').waitFor();
}
