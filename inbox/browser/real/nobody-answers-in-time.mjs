import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.people();
  const id = await real.wants('make release');
  const abe = await flow.enter(real, 'abe');
  await choose(abe, /make release/);

  // Others are told, which changes nothing and is seen by whoever looks.
  await real.escalate(id, 'told ops');
  const steps = abe.locator('#facts');
  await steps.getByText('others were told, by assent').waitFor();
  await steps.getByText('told ops').waitFor();
  assert.equal((await real.get(`tickets/${id}`)).state, 'pending');
  await flow.sound(abe, 'a call of which others were told');

  // The time of a call ends while somebody writes: it says so, and nothing can be sent any more.
  const late = await real.hold('cursor', 'Bash', { command: 'make late' });
  await abe.getByRole('button', { name: /1 new/ }).click();
  await abe.locator('#list li', { hasText: 'make late' }).getByText('expires in 59 min').waitFor();
  await choose(abe, /make late/);
  await press(abe, 'd');
  const dialog = abe.getByRole('dialog');
  await dialog.getByRole('textbox').fill('I was about to');
  await real.late(late);
  await dialog.getByText('The time of this call is over, so it cannot be answered any more.').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'I was about to');
  assert.equal(await dialog.getByRole('button', { name: 'Deny' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await abe.getByText('Its time is over.').waitFor();
  await abe.getByText('Nobody answered before it expired, so it counts as denied.').waitFor();
  await eventually(async () => assert.equal(await abe.getByRole('button', { name: 'Approve once' }).isDisabled(), true));
  assert.equal((await real.get(`tickets/${late}`)).state, 'expired');
}
