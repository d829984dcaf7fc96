import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// Green is for a call that ran and did not fail. One that failed is red, and of one whose answer the
// guard of another agent has fetched nobody here says that it ran.
export default async function (flow) {
  const real = await flow.real();
  await real.park('Bash', { command: 'make fails' });
  await real.park('Bash', { command: 'make works' });
  const held = await real.hold('codex', 'Bash', { command: 'make theirs' });
  const page = await flow.open(real);
  const call = page.locator('#call');
  const approved = call.locator('.notice', { hasText: 'Approved by ann@test at' });

  await choose(page, /make works/);
  await press(page, 'a');
  await call.getByText('The session is done').waitFor();
  await call.locator('.notice.good', { hasText: 'Approved by ann@test at' }).waitFor();

  await choose(page, /make fails/);
  await press(page, 'a');
  await call.getByText('The session is done').waitFor();
  await call.getByText('It was run, and failed.').waitFor();
  assert.match(await approved.getAttribute('class'), /bad/);
  assert.equal(await call.locator('.notice.good').count(), 0, 'nothing about a call that failed is green');
  await flow.sound(page, 'a call that failed');

  await choose(page, /make theirs/);
  await press(page, 'a');
  await approved.waitFor();
  await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'hidden' });
  await real.hand(held, 'codex');
  await call.getByText('The guard of codex has the yes. Whether the call ran, and how, is known only there.').waitFor();
  await call.locator('.call-head .state', { hasText: 'handed over' }).waitFor();
  assert.equal(await call.locator('.notice.good').count(), 0);
  const steps = page.locator('#context').getByText(/handed to the guard of codex/);
  await steps.waitFor();
  assert.equal(await page.locator('#context').getByText('it ran').count(), 0);
  assert.equal(await page.locator('#context').getByText('begun by').count(), 0);
  await flow.sound(page, 'an answer that was handed over');
}
