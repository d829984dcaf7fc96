import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['questions']);
  const page = await flow.open(fake);
  await choose(page, /Answer 3 questions/);
  await flow.sound(page, 'questions');
  const send = page.getByRole('button', { name: 'Send answers' });
  await page.getByRole('radio', { name: /^SQLite/ }).check();
  await send.click();
  assert.deepEqual(sent(fake, '/approve'), [], 'two questions have no answer yet');
  assert.ok(await page.getByRole('checkbox', { name: 'Europe' }).evaluate((node) => node === document.activeElement), 'the focus is where an answer is missing');

  // New calls and a lost line do not take away what somebody has filled in.
  fake.park('test');
  await page.getByRole('button', { name: /1 new/ }).click();
  await page.getByRole('checkbox', { name: 'Europe' }).check();
  await page.getByRole('checkbox', { name: 'Asia' }).check();
  await page.getByLabel('Other answer to question 3').fill('postgres, later');
  assert.equal(await page.getByRole('radio', { name: /^SQLite/ }).isChecked(), true);
  await page.getByRole('heading', { level: 2, name: /Answer 3/ }).click();
  await page.locator('#call').focus();
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  assert.deepEqual(sent(fake, '/approve').map(({ answers }) => answers), [['1=SQLite', '2=Europe', '2=Asia', '3=postgres, later']]);
}
