import assert from 'node:assert/strict';
import { choose, connected, eventually, shows } from '../lib/flow.mjs';

/** Somebody looks at the page, or at another one. */
async function look(page, visibilityState) {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);
}

export default async function (flow) {
  flow.expected.push(/404/); // a page that is not followed any more says once more what it has open
  const fake = await flow.fake(['test', 'refund', 'deploy']);
  const first = await flow.open(fake);
  const context = first.context();
  await choose(first, /kubectl/);
  const pages = [first];
  for (let i = 1; i < 8; i++) {
    await look(pages.at(-1), 'hidden');
    await first.clock.fastForward(4_000);
    await eventually(() => assert.equal(fake.streams.size, 0, 'a page that nobody looks at holds no line'));
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    pages.push(page);
    await page.goto(fake.link);
    await connected(page);
  }
  assert.equal(await first.getByRole('button', { name: 'Approve once' }).isDisabled(), true, 'nothing is answered by what may be old');

  // Its title counts on all the same.
  fake.park('push');
  await first.clock.fastForward(31_000);
  await eventually(async () => assert.equal(await first.title(), '(4) assent inbox'));

  // Whoever comes back finds what has happened meanwhile.
  const { id } = [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl'));
  fake.move(id, 'denied', 'bo', { decision: 'deny', reason: 'not today' });
  await look(first, 'visible');
  await connected(first);
  await first.getByText('Denied by bo at').waitFor();
  await first.getByRole('button', { name: /1 new, 1 answered/ }).waitFor();
  assert.equal(await first.title(), '(3) assent inbox');
  await choose(first, /refund/);
  await shows(first, /refund/);
}
