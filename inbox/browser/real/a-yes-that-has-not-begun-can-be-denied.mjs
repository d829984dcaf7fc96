import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

// Between a yes and the moment at which its call begins anybody who may answer can still say no, also
// when it cannot be taken back any more. Once it has begun there is no such button.
export default async function (flow) {
  const real = await flow.people();
  const wrong = await real.hold('codex', 'Bash', { command: 'make wrong' });
  const right = await real.hold('codex', 'Bash', { command: 'make right' });
  const state = async (id) => (await real.get(`tickets/${id}`)).state;
  const abe = await flow.enter(real, 'abe');
  for (const name of [/make wrong/, /make right/]) {
    await choose(abe, name);
    await press(abe, 'a');
    await abe.locator('#call').getByText('It has not begun, so it can still be denied.').waitFor();
  }

  const ben = await flow.enter(real, 'ben', { at: `#/call/${wrong}` });
  await ben.locator('#call').getByText('Approved by abe at').waitFor();
  await eventually(async () => assert.equal((await real.get(`tickets/${wrong}`)).undo ?? null, null)); // nobody can take it back any more
  assert.equal(await ben.getByRole('button', { name: 'Approve once' }).isDisabled(), true);
  await flow.sound(ben, 'a yes that has not begun');
  await press(ben, 'd');
  const dialog = ben.getByRole('dialog', { name: 'Deny this call' });
  await dialog.getByRole('textbox').fill('That is the wrong one.');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await ben.locator('#call').getByText('Denied by ben at').waitFor();
  assert.equal(await state(wrong), 'denied');

  // Whoever writes a reason meanwhile is told that it has begun.
  await abe.getByRole('button', { name: 'Deny' }).click();
  await abe.getByRole('dialog').getByRole('textbox').fill('Not this one either.');
  await eventually(() => real.hand(right, 'codex'));
  await abe.getByRole('dialog').getByText('It has begun, so nobody can deny it any more.').waitFor();
  assert.equal(await abe.getByRole('dialog').getByRole('button', { name: 'Deny' }).isDisabled(), true);
  await abe.keyboard.press('Escape');
  await abe.locator('#call .state', { hasText: 'handed over' }).waitFor();
  assert.equal(await abe.getByRole('button', { name: 'Deny' }).isDisabled(), true);
  assert.equal(await state(right), 'handed');
}
