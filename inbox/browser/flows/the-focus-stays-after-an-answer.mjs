import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'push', 'deploy', 'questions']);
  const page = await flow.open(fake);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
  await choose(page, /kubectl/);
  await page.getByRole('button', { name: 'Approve once' }).click();
  await page.getByText('Approved by ana at').waitFor();
  assert.equal(await focused(), 'call');

  // A blank behind the word is the keyboard's.
  await choose(page, /--force/);
  await page.getByRole('button', { name: 'Approve once' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type main to approve').fill('main ');
  await dialog.getByRole('button', { name: 'Approve once' }).click();
  await page.getByText('Approved by ana at').waitFor();
  assert.equal(sent(fake, '/approve').at(-1).confirm, 'main');
  assert.equal(await focused(), 'call');

  // A question is answered by itself, and not with others.
  await choose(page, /Answer 3 questions/);
  await press(page, 'x');
  const pick = page.locator('#list li', { hasText: 'Answer 3' }).getByRole('checkbox');
  assert.deepEqual([await pick.isChecked(), await pick.isDisabled(), await pick.getAttribute('title')], [false, true, 'A question is answered on its own.']);
}
