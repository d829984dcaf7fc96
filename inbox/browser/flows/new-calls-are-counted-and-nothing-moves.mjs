import assert from 'node:assert/strict';
import { choose, eventually } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'refund', 'deploy']);
  for (let i = 0; i < 30; i++) fake.park('test', { sentence: `Run \`make part${i}\``, ago: 500 + i });
  const page = await flow.open(fake);
  await choose(page, /make part12/);
  const rows = () => page.locator('#list li').evaluateAll((all) => all.map((li) => `${li.dataset.id} ${Math.round(li.getBoundingClientRect().top)}`));
  const focus = () => page.evaluate(() => document.activeElement?.textContent);
  const [before, focused] = [await rows(), await focus()];

  fake.park('push', { ago: 0 });
  fake.park('deploy', { ago: 0 });
  fake.park('test', { ago: 0 });
  const fresh = page.getByRole('button', { name: /3 new/ });
  await fresh.waitFor();
  assert.equal(await fresh.textContent(), '3 new');
  assert.match(await page.title(), /^\(36\) /);
  assert.deepEqual(await rows(), before, 'no row has moved');
  assert.equal(await focus(), focused, 'the focus is where it was');

  // What somebody else answers stays in its place, and says so.
  const second = before[1].split(' ')[0];
  fake.move(second, 'denied', 'bo', { decision: 'deny', reason: 'no' });
  await page.locator(`#list li[data-id="${second}"]`).getByText('denied').waitFor();
  assert.deepEqual(await rows(), before, 'no row has moved');
  await page.getByRole('button', { name: /3 new, 1 answered/ }).click();
  await eventually(async () => assert.equal(await page.locator('#list li').count(), 35));
  await page.locator('#list li').first().getByText('git push --force').waitFor();
  await fresh.waitFor({ state: 'hidden' });
}
