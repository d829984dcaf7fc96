import assert from 'node:assert/strict';
import { choose, connected, eventually, press, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.people();
  await real.deputy('abe', 'dee');
  const id = await real.wants('make release', { requester: 'ada@vm, Abe@desk', terms: { not_requester: true } });
  const other = await real.wants('make publish', { requester: 'Abe@desk', terms: { not_requester: true } });
  const standing = async (ticket) => (await real.get(`tickets/${ticket}`)).state;

  const abe = await flow.enter(real, 'abe');
  await choose(abe, /make release/);
  await abe.getByText('asked for by ada@vm, Abe@desk').waitFor();
  await abe.getByText('You have asked for this yourself.').waitFor();
  const why = 'abe wanted this call, and somebody else has to approve it (ask a colleague, or deny it)';
  await abe.locator('#bar').getByText(why).waitFor();
  assert.equal(await abe.getByRole('button', { name: 'Approve once' }).count(), 0);
  await press(abe, 'a');
  await eventually(async () => assert.equal(await abe.locator('#announce').textContent(), why));
  assert.equal(await abe.getByRole('dialog').count(), 0);

  // Nor does anybody in that place. In the place of another it is something else, and it is seen in whose.
  const dee = await flow.enter(real, 'dee');
  await choose(dee, /make release/);
  await dee.locator('#bar').getByText('abe wanted this call, so nobody can approve it in the place of abe').waitFor();
  await real.deputy('ben', 'dee');
  await dee.reload();
  await connected(dee); // which shows the call once more, and keys wait for that
  await shows(dee, /make release/);
  await dee.locator('#call').getByText('You answer for abe and ben.').waitFor();
  await press(dee, 'a');
  for (const page of [dee, abe]) await page.getByText('Approved by dee for ben at').waitFor();
  await flow.sound(dee, 'an answer in the place of somebody');
  await eventually(async () => assert.match(await standing(id), /approved|running|done/));
  await dee.getByRole('button', { name: 'dee, viewer' }).click();
  await dee.getByRole('dialog').getByText('You answer for abe and ben.').waitFor();

  // A no is for everybody.
  await choose(abe, /make publish/);
  await press(abe, 'd');
  await abe.getByRole('dialog').getByRole('textbox').fill('I do not need it any more.');
  await abe.keyboard.press('Control+Enter');
  await abe.getByText('Denied by abe at').waitFor();
  await eventually(async () => assert.match(await standing(other), /denied|refused/));
}
