import assert from 'node:assert/strict';
import { choose, eventually, held, press, stop } from '../lib/flow.mjs';

// The commonest lost connection: nothing comes back, and nothing says so.
export default async function (flow) {
  flow.expected.push(/Failed to load resource|net::ERR/);
  let now = Date.now();
  const fake = await flow.fake(['refund', 'test', 'deploy'], { now: () => now });
  const page = await flow.open(fake);
  const undo = page.getByRole('region', { name: 'Take the answer back' });
  const [refund, test, deploy] = [...fake.tickets.values()];
  const approved = async (name) => { await choose(page, name); await press(page, 'a'); await undo.getByRole('button', { name: 'Undo' }).waitFor(); };
  const hang = () => {
    const hanging = held();
    const arrived = held();
    fake.until = (path) => { if (path.endsWith('/undo')) { arrived.resolve(); return hanging.promise; } };
    return { arrived: Promise.race([arrived.promise, new Promise((_, fail) => setTimeout(() => fail(new Error('no undo was sent')), 20_000).unref())]), on: () => { fake.until = () => undefined; hanging.resolve(); } };
  };
  await stop(page);

  // It is said that it is on its way, and in the end that nothing came of it.
  await approved(/npm test/);
  let server = hang();
  await page.keyboard.press('u');
  await server.arrived;
  await undo.getByText('Taking it back…').waitFor();
  await page.clock.runFor(5_400);
  assert.equal(await undo.isVisible(), true, 'as long as nobody knows what came of it, it stays');
  await eventually(async () => { await page.clock.runFor(200); await undo.getByText(`It is not tried any more: the answer stands, and the call runs when its session goes on. To stop it: assent deny ${test.id}`).waitFor({ timeout: 100 }); });
  now += 6_000;
  server.on();
  fake.move(test.id, 'running', 'a worker');
  fake.move(test.id, 'done', 'a worker');
  await page.locator('#call').getByText('done', { exact: true }).waitFor();
  await undo.getByText('Not taken back.').waitFor();
  assert.equal(await page.getByText('The answer was not taken.').count(), 0, 'it was taken, and only the undo was not');
  await undo.getByRole('button', { name: 'Close' }).click();
  await undo.waitFor({ state: 'hidden' });

  // A refusal is about the answer that was to be taken back, and not about the call that is open.
  await approved(/refund/);
  await choose(page, /kubectl/);
  server = hang();
  await press(page, 'u');
  await server.arrived;
  now += 6_000;
  server.on();
  await undo.getByText('Not taken back.').waitFor();
  await undo.getByText('the time to take this answer back is over').waitFor();
  assert.equal(await page.locator('#call').getByText('The answer was not taken.').count(), 0);
  assert.equal(refund.state, 'approved');
  await page.clock.runFor(6_000);
  await undo.getByRole('button', { name: 'Close' }).click();

  // It has begun while the request was on its way.
  await approved(/kubectl/);
  server = hang();
  await page.keyboard.press('u');
  await server.arrived;
  fake.move(deploy.id, 'running', 'a worker');
  await undo.getByText('The call has begun.').waitFor();
  server.on();
  await undo.getByRole('button', { name: 'Close' }).click();
  fake.move(deploy.id, 'pending', 'a worker');

  // The server took it back, and only its word was lost, here and on the stream.
  await approved(/kubectl/);
  await page.locator('#call').getByText('Approved by ana at').waitFor();
  const streams = [...fake.streams];
  fake.streams.clear();
  await page.route('**/undo', async (route) => { await route.fetch(); await route.abort('connectionreset'); }, { times: 1 });
  await page.keyboard.press('u');
  await undo.getByText('The server has not answered. It is tried again.').waitFor();
  assert.equal(deploy.state, 'pending');
  await page.clock.runFor(1_400);
  await undo.waitFor({ state: 'hidden' });
  await page.locator('#call').getByText('waits', { exact: true }).waitFor();
  for (const stream of streams) fake.streams.add(stream);

  // The time of the call ends within that of its answer.
  deploy.expires = new Date(now - 1_000).toISOString();
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
  await press(page, 'a');
  await undo.getByRole('button', { name: 'Undo' }).click();
  await undo.waitFor({ state: 'hidden' });
  await page.getByText('The answer is taken back. There was no time left for another one, so the call is denied.').waitFor({ state: 'attached' });
  assert.equal(deploy.state, 'denied');
}
