import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// Where nobody goes on with a session the page says how it does, and does not promise it for the next moment.
export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy');
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await press(page, 'a');
  fake.session(id, { rests: true });
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('The session goes on when somebody resumes it').waitFor();
  await progress.getByText(`assent -p --resume ${fake.tickets.get(id).session}`).waitFor();
  assert.equal(await progress.getByText('in a moment').count(), 0);
  await flow.sound(page, 'a session that nobody lets go on');
}
