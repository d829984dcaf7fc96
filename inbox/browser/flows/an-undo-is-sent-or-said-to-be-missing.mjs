import assert from 'node:assert/strict';
import { choose, eventually, press, sent, stop } from '../lib/flow.mjs';

// Nobody is left in the belief that an answer was taken back which stands.
export default async function (flow) {
  flow.expected.push(/Failed to load resource|net::ERR/);
  const begun = Date.now();
  const fake = await flow.fake(['refund', 'test'], { now: () => begun });
  const page = await flow.open(fake);
  const undo = page.getByRole('region', { name: 'Take the answer back' });
  const [refund, test] = [...fake.tickets.values()];
  const answered = async (name) => { await choose(page, name); await press(page, 'a'); await page.locator('#call').getByText('Approved by ana at').waitFor(); };
  const lost = page.getByRole('alert').getByText('The connection to the server is lost.', { exact: false }).first();

  // A second answer leaves the first its five seconds.
  await stop(page);
  await answered(/npm test/);
  await answered(/refund/);
  await page.keyboard.press('u');
  await eventually(() => assert.deepEqual([refund.state, test.state], ['pending', 'approved']));
  await undo.getByText('Approved: Run npm test').waitFor();
  await eventually(async () => { await page.keyboard.press('u'); assert.equal(test.state, 'pending'); });
  await undo.waitFor({ state: 'hidden' });

  // Without a connection it is said, and done when that is back.
  await answered(/npm test/);
  const before = sent(fake, '/undo').length;
  fake.down = true;
  fake.cut();
  await eventually(async () => { await page.clock.runFor(50); assert.equal(await lost.isVisible(), true); });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await undo.getByText(`It is tried again as soon as it is back. If it must not run: assent deny ${test.id}`).waitFor();
  assert.equal(sent(fake, '/undo').length, before);
  fake.down = false;
  await eventually(async () => { await page.clock.runFor(50); assert.equal(test.state, 'pending'); });
  await undo.waitFor({ state: 'hidden' });

  // It is sent again when the connection goes in the moment in which it is sent.
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
  await press(page, 'a');
  await undo.waitFor();
  await page.route('**/undo', (route) => route.abort('connectionreset'), { times: 1 });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await undo.getByText('The server has not answered. It is tried again.').waitFor();
  assert.equal(await page.getByText('The answer was not taken').count(), 0, 'it is about the undo');
  assert.equal(test.state, 'approved');
  await eventually(async () => { await page.clock.runFor(100); assert.equal(test.state, 'pending'); });
  await undo.waitFor({ state: 'hidden' });

  // After its time it is still said.
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
  await press(page, 'a');
  await undo.waitFor();
  fake.down = true;
  fake.cut();
  await eventually(async () => { await page.clock.runFor(50); assert.equal(await lost.isVisible(), true); });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await page.clock.runFor(6_000);
  await undo.getByText('Not taken back.').waitFor();
  await undo.getByText(`It is not tried any more: the answer stands, and the call runs when its session goes on. To stop it: assent deny ${test.id}`).waitFor();
  await page.clock.resume();
  await flow.sound(page, 'an undo that could not be sent');
  await undo.getByRole('button', { name: 'Close' }).click();
  await undo.waitFor({ state: 'hidden' });
}
