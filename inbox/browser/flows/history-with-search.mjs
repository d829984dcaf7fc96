import assert from 'node:assert/strict';
import { eventually, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['refund', 'test']);
  for (let i = 0; i < 70; i++) fake.park('write', { state: i % 7 ? 'done' : 'denied', ago: 4000 + i, sentence: `Write \`notes/${i}.md\`: 4 lines`, input: { file_path: `notes/${i}.md` }, answer: { decision: i % 7 ? 'allow' : 'deny', by: 'bo', at: fake.iso(3000), reason: i % 7 ? '' : 'not there' } });
  const page = await flow.open(fake);
  await page.keyboard.press('/');
  const text = page.getByLabel('Search all calls');
  assert.ok(await text.evaluate((node) => node === document.activeElement));
  const rows = page.locator('#list li');
  await eventually(async () => assert.equal(await rows.count(), 50));
  await page.getByRole('button', { name: 'Show more' }).click();
  await eventually(async () => assert.equal(await rows.count(), 72));

  await text.fill('notes/14');
  await eventually(async () => assert.equal(await rows.count(), 1));
  await flow.sound(page, 'the history with a search');
  await rows.getByRole('button').click();
  await shows(page, /notes\/14\.md/);
  await page.getByText('Denied by bo at').waitFor();
  await page.getByText('not there').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve once' }).isDisabled(), true);

  await text.fill('no such thing');
  await page.getByText('Nothing found.').waitFor();
  await flow.sound(page, 'a search that finds nothing');
  await page.getByRole('button', { name: /^Waiting/ }).click();
  await page.locator('#list').getByText('npm test').waitFor();
}
