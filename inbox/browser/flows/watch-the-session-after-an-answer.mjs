import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  const { id } = [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl'));
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();

  fake.move(id, 'running', 'a worker');
  fake.session(id, { state: 'running', running: true, turns: [{ who: 'tool', tool: 'Bash', text: 'deployment.apps/checkout image updated' }] });
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('The session is running').waitFor();
  await progress.getByText('image updated').waitFor();
  await page.getByRole('region', { name: 'Take the answer back' }).waitFor({ state: 'hidden' });
  await flow.sound(page, 'a session that is running');

  fake.move(id, 'done', 'a worker');
  fake.session(id, { state: 'done', running: false, turns: [{ who: 'tool', tool: 'Bash', text: 'successfully rolled out' }, { who: 'model', text: 'Checkout 2.14.0 is live.' }], result: 'Checkout 2.14.0 is live in the shop cluster.' });
  await progress.getByText('The session is done').waitFor();
  await progress.getByText('Checkout 2.14.0 is live in the shop cluster.').waitFor();
  await page.locator('#list li', { hasText: 'kubectl' }).getByText('done').waitFor();
  assert.equal(await progress.locator('.untrusted', { hasText: 'in the shop cluster' }).count(), 1, 'the result is marked as untrusted');
  await flow.sound(page, 'a session with its result');
}
