import assert from 'node:assert/strict';
import { choose, eventually, sent, shows, stop } from '../lib/flow.mjs';

export default async function (flow) {
  const begun = Date.now();
  const fake = await flow.fake(['test', 'deploy'], { now: () => begun });
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await flow.sound(page, 'a call that waits');

  const [ticket] = [...fake.tickets.values()].filter(({ kin }) => kin.includes('kubectl'));
  await page.clock.fastForward(500);
  await page.keyboard.press('a');
  const undo = page.getByRole('region', { name: 'Take the answer back' });
  await undo.getByText(/Approved: Run git fetch/).waitFor();
  assert.deepEqual(sent(fake, '/approve'), [{ digest: ticket.digest, undo: true }], 'the answer carries the digest that was shown');
  await page.getByText('Approved by ana at').waitFor();
  await flow.sound(page, 'an approved call with undo');

  fake.move(ticket.id, 'pending', 'test');
  await page.locator('#call').getByText('waits', { exact: true }).waitFor();
  await stop(page);
  await page.keyboard.press('a');

  await undo.getByRole('button', { name: 'Undo' }).click();
  await eventually(() => assert.equal(ticket.state, 'pending'));
  await page.locator('#call').getByText('waits', { exact: true }).waitFor();
  await undo.waitFor({ state: 'hidden' });

  await page.clock.fastForward(500);
  await page.keyboard.press('a');
  await undo.waitFor();
  await page.clock.fastForward(500);
  await page.keyboard.press('u');
  await eventually(() => assert.equal(ticket.state, 'pending', 'u takes it back as well'));

  await shows(page, /kubectl/);
  await page.clock.fastForward(500);
  await page.keyboard.press('a');
  await undo.waitFor();
  await page.clock.runFor(5_200);
  await undo.waitFor({ state: 'hidden' });
  assert.equal(ticket.state, 'approved', 'after five seconds it stands');
  await page.keyboard.press('u');
  assert.equal(sent(fake, '/undo').length, 2, 'there is nothing to take back any more');

}
