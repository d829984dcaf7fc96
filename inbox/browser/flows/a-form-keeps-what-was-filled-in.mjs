import assert from 'node:assert/strict';
import { choose, connected, eventually, press, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/503|net::ERR/);
  const fake = await flow.fake(['test', 'questions']);
  const page = await flow.open(fake);
  await choose(page, /Answer 3 questions/);
  const { id } = [...fake.tickets.values()].find(({ tool }) => tool === 'AskUserQuestion');
  const choice = page.getByRole('radio', { name: /^SQLite/ });
  const words = page.getByLabel('Other answer to question 3');
  const kept = async (after) => {
    assert.equal(await choice.isChecked(), true, after);
    assert.equal(await words.inputValue(), 'typed long text', after);
  };
  await choice.check();
  await words.fill('typed long text');

  // One answer is missing: that is to be seen.
  const missing = page.locator('fieldset', { hasText: 'Which regions' }).getByRole('alert');
  assert.equal(await missing.isVisible(), false);
  await page.getByRole('button', { name: 'Send answers' }).click();
  await missing.getByText('This question has no answer yet.').waitFor();
  assert.equal(await page.getByLabel('Other answer to question 2').getAttribute('aria-invalid'), 'true');
  await flow.sound(page, 'a question without an answer');
  await page.getByRole('checkbox', { name: 'Europe' }).check();
  assert.equal(await missing.isVisible(), false);
  await kept('a question had no answer');

  fake.cut();
  await page.locator('#connection[data-state="lost"]').waitFor({ state: 'attached' });
  await page.clock.fastForward(1_000);
  await connected(page);
  await kept('the connection was lost');

  // The session does something, and the focus stays where somebody types.
  await words.focus();
  fake.session(id, { state: 'waits', running: false });
  await page.route('**/approve', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{"code":"busy","message":"too much to do, try again"}}' }));
  await page.evaluate(() => document.getElementById('questions').requestSubmit());
  await page.getByRole('alert').getByText('too much to do').waitFor();
  await kept('the server was busy');
  assert.ok(await words.evaluate((node) => node === document.activeElement), 'the focus stays');

  await page.locator('#call').focus();
  await press(page, 'j');
  await shows(page, /npm test/);
  await press(page, 'k');
  await shows(page, /Answer 3/);
  await kept('somebody has looked at another call');
  await page.unroute('**/approve');
  await press(page, 'a');
  await eventually(() => assert.equal(fake.tickets.get(id).state, 'approved'));
}
