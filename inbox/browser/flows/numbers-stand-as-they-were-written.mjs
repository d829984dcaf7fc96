import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake();
  const rawInput = '{"account":9007199254740993,"amount":10.50,"note":"a \\"b\\" {1,2}: [3]","cents":1e3,"parts":[{"share":0.10},-0],"10":1,"2":{}}';
  fake.park('refund', { rawInput });
  fake.park('test', { state: 'done', input: { command: 'pay' }, rawEdited: '{"command":"pay","account":9007199254740993,"list":[1.0,{"x":10.50}]}', sentence: 'Run `pay`' });
  const page = await flow.open(fake);
  await choose(page, /refund/);
  const field = (name) => page.locator('#call .named', { has: page.getByText(name, { exact: true }) }).locator('pre').textContent();
  assert.equal(await field('account'), '9007199254740993');
  assert.equal(await field('amount'), '10.50');
  assert.equal(await field('cents'), '1e3');
  assert.equal(await field('note'), 'a "b" {1,2}: [3]');
  assert.equal((await field('parts')).replace(/\s+/g, ' '), '[ { "share": 0.10 }, -0 ]');
  assert.deepEqual(await page.locator('#call .named .name').allTextContents(), ['account', 'amount', 'note', 'cents', 'parts', '10', '2'], 'in their order');

  await page.keyboard.press('/');
  await choose(page, 'Run pay');
  const edited = await page.locator('.untrusted', { hasText: 'What was approved' }).locator('details pre').textContent();
  assert.equal(edited.replace(/\s+/g, ''), '{"command":"pay","account":9007199254740993,"list":[1.0,{"x":10.50}]}');
}
