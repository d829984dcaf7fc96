import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

const many = 60_000;

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const input = Object.fromEntries(Array.from({ length: many }, (_, i) => [`key${i}`, i]));
  const crowded = fake.park('refund', { input, sentence: 'Call `many` of the MCP server `a`', shown: 'in_part' });
  const page = await flow.open(fake);
  await choose(page, /Call many/);
  const call = page.locator('#call');
  await call.getByText(`200 of ${many} fields`).waitFor();
  assert.equal(await call.locator('.named').count(), 200, 'no more are drawn than somebody can read');
  await call.getByRole('button', { name: /Show the rest: / }).waitFor(); // and all of it is there
  await flow.sound(page, 'a call with very many fields');

  // It is edited as a whole.
  await press(page, 'e');
  const dialog = page.getByRole('dialog', { name: 'Edit, then approve' });
  assert.match(await dialog.getByLabel('The input as JSON').inputValue(), /"key59999": 59999/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'a');
  await eventually(() => assert.equal(sent(fake, `${crowded}/approve`).length, 1));

  await choose(page, /npm test/);
  await press(page, 'a');
  await eventually(() => assert.equal(sent(fake, '/approve').length, 2));
}
