import assert from 'node:assert/strict';
import { eventually, shows, stop } from '../lib/flow.mjs';

export default async function (flow) {
  const begun = Date.now();
  const fake = await flow.fake(['test', 'questions', 'refund', 'write', 'edit', 'push', 'deploy'], { now: () => begun });
  for (let i = 0; i < 5; i++) fake.park('test', { sentence: `Run \`make part${i}\``, ago: 900 });
  const page = await flow.open(fake, { size: 'phone' });
  const list = page.locator('#list');
  await list.getByText('npm test').waitFor();
  assert.equal(await page.locator('#call').isVisible(), false, 'first the list alone');
  await flow.sound(page, 'cards on a phone');

  await page.locator('main').evaluate((node) => { node.scrollTop = 90; });
  await list.getByRole('button', { name: /price\.ts/ }).tap();
  await shows(page, /price\.ts/);
  assert.equal(await list.isVisible(), false, 'then the call alone');
  const approve = page.getByRole('button', { name: 'Approve once' });
  const box = await approve.boundingBox();
  assert.ok(box.height >= 44 - 3 && box.width > 150, `a thumb finds the button: ${JSON.stringify(box)}`);
  assert.ok(box.y + box.height <= 844, 'the button is on the screen');

  await page.goBack();
  await list.getByText('npm test').waitFor();
  assert.equal(await page.locator('main').evaluate((node) => node.scrollTop), 90, 'back is where one was');
  await list.getByRole('button', { name: /price\.ts/ }).tap();
  await shows(page, /price\.ts/);
  await page.getByRole('button', { name: 'All calls' }).tap();
  await list.getByText('npm test').waitFor();

  await list.getByRole('button', { name: /git push/ }).tap();
  await shows(page, /git push/);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Deny' }).tap();
  await dialog.getByRole('textbox').fill('not today');
  await page.goBack();
  await list.getByText('npm test').waitFor();
  assert.equal(await dialog.count(), 0, 'no dialog stays over the list');
  await list.getByRole('button', { name: /git push/ }).tap();
  await shows(page, /git push/);
  await page.getByRole('button', { name: 'Deny' }).tap();
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'not today', 'what was typed is kept');
  await page.keyboard.press('Escape');
  await approve.tap();
  await dialog.getByLabel('Type main to approve').fill('main');
  await stop(page);
  await dialog.getByRole('button', { name: 'Approve once' }).tap();
  await page.getByText('Approved by ana at').waitFor();
  const undo = page.getByRole('region', { name: 'Take the answer back' });
  const [bar, offer] = [await page.locator('#bar').boundingBox(), await undo.boundingBox()];
  assert.ok(offer.y + offer.height <= bar.y, 'the undo covers no button');
  await undo.getByRole('button', { name: 'Undo' }).tap();
  await eventually(() => assert.ok([...fake.tickets.values()].every(({ state }) => state === 'pending')));

  // The smallest of them, with many calls.
  await page.setViewportSize({ width: 320, height: 568 });
  await page.evaluate(() => { document.getElementById('waiting-count').textContent = '222'; });
  const help = await page.getByRole('button', { name: 'Keyboard and help' }).boundingBox();
  assert.ok(help.x + help.width <= 320, `nothing is cut off: ${JSON.stringify(help)}`);
}
