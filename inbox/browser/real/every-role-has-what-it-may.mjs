import assert from 'node:assert/strict';
import { choose, eventually, press, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.people();
  const release = await real.wants('make release');
  const publish = await real.wants('make publish', { requester: 'root@build-2' });
  const standing = async (id) => (await real.get(`tickets/${id}`)).state;
  const [vera, abe, ada] = [await flow.enter(real, 'vera'), await flow.enter(real, 'abe'), await flow.enter(real, 'ada', { size: 'phone' })];

  // A viewer sees all of it, and has no way to answer.
  await choose(vera, /make publish/);
  const why = 'vera may look and comment, but not answer, as viewer (ask an admin for another role)';
  await vera.locator('#bar').getByText(why).waitFor();
  await vera.getByText('asked for by root@build-2').waitFor();
  await vera.locator('#context').getByText('deploy the site').waitFor();
  await vera.getByRole('region', { name: 'On record' }).waitFor();
  for (const name of ['Approve once', 'Deny', 'Edit', 'Approve + rule', 'Approve chosen']) assert.equal(await vera.getByRole('button', { name }).count(), 0, `${name} is not there`);
  for (const key of ['a', 'd', 'e', 'r']) {
    await vera.locator('#announce').evaluate((node) => { node.textContent = ''; });
    await press(vera, key);
    await eventually(async () => assert.equal(await vera.locator('#announce').textContent(), why), `${key} says why`);
  }
  assert.equal(await vera.getByRole('dialog').count(), 0);
  assert.equal(await standing(publish), 'pending');

  // An approver answers, and all others see who it was.
  await choose(abe, /make publish/);
  await press(abe, 'a');
  await vera.getByText('Approved by abe at').waitFor();
  await eventually(async () => assert.match(await standing(publish), /approved|running|done/));

  // So does an admin.
  await ada.locator('#list').getByRole('button', { name: /make release/ }).tap();
  await shows(ada, /make release/);
  await ada.getByRole('button', { name: 'Deny' }).tap();
  await ada.getByRole('dialog').getByRole('textbox').fill('Not on a Friday.');
  await ada.getByRole('dialog').getByRole('button', { name: 'Deny' }).tap();
  await ada.getByText('Denied by ada at').waitFor();
  await choose(vera, /make release/);
  await vera.getByText('Denied by ada at').waitFor();
  await eventually(async () => assert.match(await standing(release), /denied|refused/));
}
