import assert from 'node:assert/strict';
import { choose, eventually, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['refund', 'push', 'test', 'write']);
  fake.park('test', { sentence: 'Read `docs/secret`', places: ['/srv/other/secret'], shown: 'elsewhere' });
  const more = [1, 2].map((n) => fake.park('test', { sentence: `Run \`npm test -- part${n}\``, input: { command: `npm test -- part${n}` }, cwd: `/home/ana/shop${n}`, places: [`/home/ana/shop${n}/a`], ago: 30 * n }));
  const page = await flow.open(fake);
  const list = page.locator('#list');
  assert.equal(await list.getByRole('checkbox', { name: /git push/ }).isDisabled(), true, 'high risk cannot be chosen');
  for (const [name, why] of [[/git push/, 'A call of high risk is answered on its own.'], [/docs\/release\.md/, 'Open it: its line does not show all of it.'], [/docs\/secret/, 'Open it: it leads to a file that its line does not name, or outside of its directory.']]) {
    const box = list.getByRole('checkbox', { name });
    assert.deepEqual([await box.isDisabled(), await box.getAttribute('title')], [true, why]);
  }
  await choose(page, /git push/);
  await press(page, 'x');
  assert.equal(await page.getByRole('button', { name: /Approve chosen/ }).isDisabled(), true);

  await choose(page, /part1/);
  await press(page, 'x');
  await list.getByRole('checkbox', { name: /part1/, checked: true }).waitFor();
  await list.getByRole('checkbox', { name: /refund/ }).check();
  await press(page, 'Shift+A');
  const dialog = page.getByRole('dialog', { name: 'Approve 2 chosen calls' });
  await dialog.getByText('These calls are not of the same sort: mcp__pay__refund, Bash(npm test).').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Approve 2 calls' }).isDisabled(), true);
  await page.keyboard.press('Control+Enter');
  assert.deepEqual(sent(fake, '/batch'), [], 'no key presses a button that is off');
  await page.keyboard.press('Escape');

  await list.getByRole('checkbox', { name: /refund/ }).uncheck();
  await list.getByRole('checkbox', { name: /part2/ }).check();
  await press(page, 'Shift+A');
  await dialog.getByRole('button', { name: 'Approve 2 calls' }).waitFor();
  assert.deepEqual(await dialog.getByRole('listitem').locator('.place').allTextContents(), ['in /home/ana/shop1', 'in /home/ana/shop2'], 'each says where');
  await flow.sound(page, 'the dialog for several');
  await dialog.getByRole('button', { name: 'Approve 2 calls' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent(fake, '/batch'), [{ approve: more.map((id) => ({ id, digest: fake.tickets.get(id).digest, places: fake.tickets.get(id).places })) }]);
  await eventually(async () => assert.equal(await list.locator('.state', { hasText: 'approved' }).count(), 2));
  assert.equal(await page.getByRole('button', { name: 'Approve chosen' }).isDisabled(), true, 'nothing is chosen any more');
}
