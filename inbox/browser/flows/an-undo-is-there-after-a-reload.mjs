import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

// Who loads the page anew, or has it open twice, can take an answer back, or send it, as long as before.
export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy');
  fake.undoFor = 60_000;
  const page = await flow.open(fake);
  const bar = page.getByRole('region', { name: 'Take the answer back' });
  await choose(page, /kubectl/);
  await press(page, 'a');
  await bar.getByText('Approved: ').waitFor();
  await page.reload();
  await bar.getByText('Approved: ').waitFor();
  await bar.getByRole('button', { name: 'Send now' }).waitFor();
  await flow.sound(page, 'an undo after a reload');
  await bar.getByRole('button', { name: /^Undo/ }).click();
  await bar.waitFor({ state: 'hidden' });
  assert.equal(fake.tickets.get(id).state, 'pending');

  await press(page, 'd');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Use the staging cluster.');
  await page.keyboard.press('Control+Enter');
  await bar.getByText('Denied: ').waitFor();
  await page.reload();
  await bar.getByText('Denied: ').waitFor();
  await bar.getByRole('button', { name: 'Send now' }).click();
  await bar.waitFor({ state: 'hidden' });
  assert.equal(sent(fake, `${id}/send`).length, 1);
  await page.reload();
  await page.getByText('Denied by ana at').waitFor();
  assert.equal(await bar.isVisible(), false);
}
