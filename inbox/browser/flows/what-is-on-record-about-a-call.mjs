import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.open(fake);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl'));
  await choose(page, /kubectl/);
  const record = page.getByRole('region', { name: 'On record' });
  await record.getByText('no. 11').waitFor();
  await record.getByText('put to a person').waitFor();
  await record.getByText(/^Verified/).waitFor();
  await record.getByText('The record is whole up to no. 20').waitFor();
  await record.getByText('7 records of this session').click();
  await record.getByText(`assent audit log --session ${fake.tickets.get(id).session}`).waitFor();
  await flow.sound(page, 'what is on record about a call');
  await record.getByRole('button', { name: 'Copy' }).first().click();
  await record.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `assent audit log --session ${fake.tickets.get(id).session}`);

  // Nobody copies what another agent has put into the name of its session.
  fake.park('write', { session: 'x; touch /tmp/owned', asker: 'codex' });
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /release\.md/);
  await record.getByText('7 records of this session').click();
  await record.getByText('assent audit verify').waitFor();
  assert.equal(await record.getByText('touch /tmp/owned').count(), 0);
  await choose(page, /kubectl/);

  // What happens later is there as well.
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  fake.move(id, 'running', 'a worker');
  await record.getByText('no. 14').waitFor();
  await record.getByText('allowed, answered by ana').waitFor();

  // A record that was changed proves nothing, and says so loudly.
  fake.recordProblem = 'the decision log is damaged in 000000000001.jsonl, behind record 4: its sum is wrong (`assent audit verify` tells more)';
  await choose(page, /npm test/);
  await record.getByText('Not verified').waitFor();
  await record.getByText('behind record 4').waitFor();
  assert.equal(await record.getByText(/^Verified/).count(), 0);
  await flow.sound(page, 'a record that was changed');

  // The history leads to the same.
  await page.keyboard.press('/');
  await page.locator('#list li', { hasText: 'kubectl' }).getByRole('button').click();
  await record.getByText('no. 14').waitFor();
}
