import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['questions']);
  const edited = fake.park('write', { editedChange: { path: '/home/ana/shop/docs/release.md', lines: ['+# Release 2.14.1'] } });
  const page = await flow.open(fake);
  const call = page.locator('#call');
  const above = async (first, second) => assert.ok((await first.boundingBox()).y < (await second.boundingBox()).y);

  await choose(page, /release\.md/);
  await press(page, 'e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('content').fill('# Release 2.14.1\n');
  const approve = dialog.getByRole('button', { name: 'Approve as edited' });
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await approve.click();
  fake.session(edited, { state: 'done', running: false, turns: [], result: 'It is written.' });
  await call.getByText('It is written.').waitFor();
  const wanted = call.locator('figure', { hasText: 'What the agent wanted to run, exactly' });
  const approved = call.locator('figure', { has: page.locator('figcaption', { hasText: 'What was approved' }) });
  await wanted.getByText('the cart keeps its currency').first().waitFor();
  assert.equal(await wanted.getByText('2.14.1').count(), 0);
  await approved.getByText('2.14.1').first().waitFor();
  assert.equal(await approved.getByText('the cart keeps its currency').count(), 0);
  await above(page.getByText('It is written.'), wanted);
  await above(wanted, approved);
  await flow.sound(page, 'what was wanted, and what was approved');

  // What was answered is read without its JSON, and what came of it stands above.
  await choose(page, /Answer 3 questions/);
  await page.getByRole('radio', { name: /^SQLite/ }).check();
  await page.getByRole('checkbox', { name: 'Asia' }).check();
  await page.getByRole('radio', { name: 'storage' }).check();
  const { id, input } = [...fake.tickets.values()].find(({ tool }) => tool === 'AskUserQuestion');
  fake.tickets.get(id).edited = { ...input, answers: { 'Which database should the shop use?': 'SQLite', 'Which regions get it first?': 'Asia', 'What shall the branch be called?': 'storage' } };
  await page.getByRole('button', { name: 'Send answers' }).click();
  fake.session(id, { state: 'done', running: false, turns: [], result: 'The shop has a database.' });
  await call.getByText('The shop has a database.').waitFor();
  const said = call.locator('figure', { has: page.locator('figcaption', { hasText: 'What was answered' }) });
  await said.getByText('SQLite').first().waitFor();
  await above(call.getByText('The shop has a database.'), said);
  assert.equal(await said.locator('details[open]').count(), 0, 'the JSON is folded');
  await flow.sound(page, 'what was answered');
}
