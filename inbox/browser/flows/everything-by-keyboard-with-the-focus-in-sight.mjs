import assert from 'node:assert/strict';
import { choose, connected, reached, shows } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await page.reload();
  await connected(page);
  await shows(page, /kubectl/);

  const wanted = ['Skip to the call', 'Waiting', 'History', 'Keyboard and help', 'Run git fetch', 'Choose: Run `npm test', 'Run npm test', 'The call', 'The input as JSON', 'Context and consequences', 'Look at it, and approve with it', 'Approve once', 'Deny', 'Edit', 'Approve + rule', 'Previous', 'Next'];
  const seen = await reached(page);
  for (const name of wanted) assert.ok(seen.some((text) => text.includes(name)), `Tab reaches ${name}; it reaches ${seen.map((text) => text.slice(0, 30)).join(' | ')}`);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and help' });
  for (const key of ['A', 'D', 'E', 'R', 'J', 'K', 'X', 'Shift+A', '/', '?']) await help.getByText(key, { exact: true }).waitFor();
  await flow.sound(page, 'the help');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  await page.keyboard.press('j');
  await shows(page, /npm test/);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /npm test/, 'the focus goes with the choice');
  await page.keyboard.press('k');
  await shows(page, /kubectl/);

  // The browser tells a moment later that a dialog was closed; a key that comes before counts.
  await page.keyboard.press('?');
  await help.waitFor();
  await page.evaluate(() => {
    document.querySelector('dialog').close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  });
  await shows(page, /npm test/);
  await page.keyboard.press('k');
  await shows(page, /kubectl/);

  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+d');
  assert.equal(await page.getByRole('dialog').count(), 0, 'keys of the browser are left alone');
}
