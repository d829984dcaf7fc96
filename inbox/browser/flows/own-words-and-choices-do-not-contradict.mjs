import assert from 'node:assert/strict';
import { choose, sent } from '../lib/flow.mjs';

// What is sent is what the form shows: one choice or own words, and own words that cannot be
// taken for several answers.
export default async function (flow) {
  const fake = await flow.fake(['questions']);
  const page = await flow.open(fake);
  await choose(page, /Answer 3 questions/);
  const sqlite = page.getByRole('radio', { name: /^SQLite/ });
  const own = page.getByLabel('Other answer to question 1');
  const other = page.getByRole('radio', { name: /^Other/ }).first();
  await sqlite.check();
  await own.fill('mysql');
  assert.equal(await sqlite.isChecked(), false, 'own words take the place of the choice');
  assert.equal(await other.isChecked(), true);
  await sqlite.check();
  assert.equal(await other.isChecked(), false);
  assert.equal(await own.inputValue(), 'mysql', 'nothing that was typed is lost');
  await other.check();
  await flow.sound(page, 'own words in place of a choice');

  await page.getByRole('checkbox', { name: 'Asia' }).check();
  const more = page.getByLabel('Other answer to question 2');
  await more.fill('antarctica');
  const hint = page.getByText('in quotation marks');
  assert.equal(await hint.isVisible(), false);
  await more.fill('antarctica, too');
  await hint.waitFor();
  await flow.sound(page, 'own words with a comma');
  await page.getByRole('radio', { name: 'storage' }).check();
  await page.getByRole('button', { name: 'Send answers' }).click();
  await page.getByText('Approved by ana at').waitFor();
  assert.deepEqual(sent(fake, '/approve').map(({ answers }) => answers), [['1=mysql', '2=Asia', '2="antarctica, too"', '3=storage']]);
}
