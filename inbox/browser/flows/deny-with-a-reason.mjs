import assert from 'node:assert/strict';
import { choose, eventually, press, sent, stop } from '../lib/flow.mjs';

export default async function (flow) {
  const begun = Date.now();
  const fake = await flow.fake(['test', 'refund'], { now: () => begun });
  const page = await flow.open(fake);
  await choose(page, /refund/);
  await press(page, 'd');
  const dialog = page.getByRole('dialog', { name: 'Deny this call' });
  const reason = dialog.getByLabel('Reason, which the agent is told');
  await reason.waitFor();
  assert.ok(await reason.evaluate((node) => node === document.activeElement), 'one can type at once');
  await flow.sound(page, 'the dialog to deny');

  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('alert').getByText('Write a reason').waitFor();
  await page.keyboard.type('ajxder?');
  assert.equal(await reason.inputValue(), 'ajxder?', 'keys are letters while somebody types');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent(fake, '/deny'), [], 'Esc sends nothing');

  await press(page, 'd');
  await reason.fill('The parcel has arrived, see ticket 812.');
  await stop(page);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Denied by ana at').waitFor();
  const [{ digest, state }] = [...fake.tickets.values()].filter(({ tool }) => tool.includes('refund'));
  assert.deepEqual(sent(fake, '/deny'), [{ digest, reason: 'The parcel has arrived, see ticket 812.', undo: true }]);
  assert.equal(state, 'denied');

  await page.getByRole('region', { name: 'Take the answer back' }).getByRole('button', { name: 'Undo' }).click();
  await eventually(() => assert.equal([...fake.tickets.values()].at(-1).state, 'pending', 'a deny can be taken back too'));
}
