import assert from 'node:assert/strict';
import { choose, press, sent, stop } from '../lib/flow.mjs';

// An answer can be taken back for as long as the server says, which is less where an agent is about to
// give up. The page counts both down, and whoever is sure sends the answer at once.
export default async function (flow) {
  const fake = await flow.fake(['test', 'edit']);
  const id = fake.park('deploy', { asker: 'cursor', guard: 'waits', expires: 3600 });
  const page = await flow.open(fake);
  await stop(page);
  const now = await page.evaluate(() => Date.now());
  fake.now = () => now;
  fake.tickets.get(id).guardUntil = now + 15_000;
  const undo = page.locator('#undo');
  await choose(page, /kubectl/);
  await page.locator('#call').getByText('held by the guard of cursor, which waits 15 s more').waitFor();
  await page.clock.runFor(12_000);
  fake.now = () => now + 12_000;
  await page.locator('#call').getByText('which waits 3 s more').waitFor();
  await page.keyboard.press('a');
  await undo.getByRole('button', { name: /^Undo/ }).waitFor();
  assert.match(await undo.textContent(), /Undo 2 s/, 'the answer holds before the guard gives up');
  await page.getByText('Approved. It can be taken back for 2 seconds.').waitFor({ state: 'attached' });
  await page.clock.runFor(1_200);
  assert.match(await undo.textContent(), /Undo 1 s/);
  await page.clock.runFor(1_000);
  await undo.waitFor({ state: 'hidden' });

  // Whoever is sure does not let it wait.
  fake.undoFor = 30_000;
  await choose(page, /npm test/);
  await press(page, 'a');
  await undo.getByText('30 s').waitFor();
  await undo.getByRole('button', { name: 'Send now' }).click();
  await undo.waitFor({ state: 'hidden' });
  const [{ id: test, digest }] = [...fake.tickets.values()].filter(({ tool, input }) => tool === 'Bash' && input.command === 'npm test');
  assert.deepEqual(sent(fake, `${test}/send`), [{ digest, until: new Date(now + 42_000).toISOString() }]);
  await page.locator('#context').getByText('sent at once by ana').waitFor();

  // Where there is no time to take it back nothing is offered.
  fake.undoFor = 0;
  await choose(page, /price\.ts/);
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  assert.equal(await undo.isVisible(), false);
  await page.getByText('Approved. It cannot be taken back.').waitFor({ state: 'attached' });

  fake.undoFor = 300_000;
  fake.park('write', { asker: 'cursor', guard: 'waits', guardUntil: now + 600_000 });
  await page.clock.resume();
  await page.locator('#fresh').click();
  await choose(page, /release\.md/);
  await flow.sound(page, 'a guard that waits');
  await press(page, 'a');
  await undo.getByRole('button', { name: 'Send now' }).waitFor();
  await flow.sound(page, 'an answer that can be sent at once');
}
