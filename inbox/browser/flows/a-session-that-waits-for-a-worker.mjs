import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy', { labels: ['gpu', 'image=ci:7'], where: 'worker' });
  const page = await flow.open(fake);
  await choose(page, /npm test/);
  assert.equal(await page.locator('#context').getByText('goes on', { exact: true }).count(), 0, 'what runs here waits for no worker');

  await choose(page, /kubectl/);
  await page.locator('#context').getByText('where there is gpu, image=ci:7').waitFor();
  await flow.sound(page, 'a call of a session with labels');
  await press(page, 'a');
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('The session goes on in a moment').waitFor();
  await page.clock.fastForward(31_000);
  await progress.getByText('No worker has taken it up yet').waitFor();
  await progress.getByText('It goes on where there is gpu, image=ci:7').waitFor();
  await flow.sound(page, 'a session that no worker takes up');

  fake.move(id, 'running', 'a worker');
  fake.session(id, { state: 'running', running: true, labels: ['gpu', 'image=ci:7'] });
  await progress.getByText('The session is running').waitFor();
  assert.equal(await progress.getByText('No worker has taken it up yet').count(), 0);
}
