import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['refund', 'push', 'test']);
  const more = [1, 2].map((n) => fake.park('test', { sentence: `Run \`npm test -- part${n}\``, input: { command: `npm test -- part${n}` }, cwd: `/home/ana/shop${n}`, ago: 30 * n }));
  const page = await flow.open(fake);
  const list = page.locator('#list');
  assert.equal(await list.getByRole('checkbox', { name: /git push/ }).isDisabled(), true, 'high risk cannot be chosen');
  await choose(page, /git push/);
  await press(page, 'x');
  assert.equal(await page.getByRole('button', { name: /Approve chosen/ }).isDisabled(), true);

  await choose(page, /part1/);
  await press(page, 'x');
  await list.getByRole('checkbox', { name: /part1/, checked: true }).waitFor();
  await list.getByRole('checkbox', { name: /refund/ }).check();
  await press(page, 'Shift+A');
  const dialog = page.getByRole('dialog', { name: 'Approve 2 chosen calls' });
  await dialog.getByText('These calls are not of the same sort.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Approve 2 calls' }).isDisabled(), true);
  await page.keyboard.press('Escape');

  await list.getByRole('checkbox', { name: /refund/ }).uncheck();
  await list.getByRole('checkbox', { name: /part2/ }).check();
  await press(page, 'Shift+A');
  await dialog.getByRole('button', { name: 'Approve 2 calls' }).waitFor();
  assert.deepEqual(await dialog.getByRole('listitem').locator('.place').allTextContents(), ['in /home/ana/shop1', 'in /home/ana/shop2'], 'each says where');
  await flow.sound(page, 'the dialog for several');
  await dialog.getByRole('button', { name: 'Approve 2 calls' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent(fake, '/batch'), [{ approve: more.map((id) => ({ id, digest: fake.tickets.get(id).digest })) }]);
  await eventually(async () => assert.equal(await list.locator('.state', { hasText: 'approved' }).count(), 2));
  assert.equal(await page.getByRole('button', { name: 'Approve chosen' }).isDisabled(), true, 'nothing is chosen any more');
}
