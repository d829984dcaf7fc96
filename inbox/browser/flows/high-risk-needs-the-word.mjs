import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'push']);
  const page = await flow.open(fake);
  await choose(page, /git push --force/);
  await press(page, 'a');
  const dialog = page.getByRole('dialog', { name: 'Approve a call of high risk' });
  const word = dialog.getByLabel('Type main to approve');
  await word.waitFor();
  await dialog.getByText('in /home/ana/shop').waitFor();
  await flow.sound(page, 'the dialog for the word');
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await page.keyboard.type('Main');
  assert.equal(await approve.isDisabled(), true, 'another word is not enough');
  await page.keyboard.press('Enter');
  assert.deepEqual(sent(fake, '/approve'), []);
  await dialog.getByText('That is not the word. Type main, as it is written here.').waitFor();
  assert.equal(await word.getAttribute('aria-invalid'), 'true');
  await flow.sound(page, 'another word than the one that is asked for');
  await word.fill('main');
  await dialog.getByText('That is not the word.').waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.getByText('Approved by ana at').waitFor();
  const [{ digest }] = [...fake.tickets.values()].filter(({ risk }) => risk === 'high');
  assert.deepEqual(sent(fake, '/approve'), [{ digest, undo: true, confirm: 'main' }]);
}
