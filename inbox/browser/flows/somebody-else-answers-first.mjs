import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/409/);
  const fake = await flow.fake(['test', 'refund', 'deploy']);
  const page = await flow.open(fake);
  const id = (part) => [...fake.tickets.values()].find(({ kin }) => kin.includes(part)).id;

  // While the reason is being typed.
  await choose(page, /refund/);
  await press(page, 'd');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('I think');
  fake.move(id('refund'), 'approved', 'bo', { decision: 'allow' });
  await dialog.getByRole('alert').getByText('approved meanwhile by bo').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'I think', 'what was typed can be copied');
  assert.equal(await dialog.getByRole('button', { name: 'Deny' }).isDisabled(), true);
  await flow.sound(page, 'a dialog about a call that somebody else has answered');
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Approved by bo at').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve once' }).isDisabled(), true);
  fake.move(id('refund'), 'running', 'a worker'); // until then it can still be denied
  await page.getByText('It has not begun').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Deny' }).isDisabled(), true);
  assert.deepEqual(sent(fake, '/deny'), []);

  // The server may know before the page does.
  await choose(page, /npm test/);
  await press(page, 'd');
  await dialog.getByRole('textbox').fill('not now');
  Object.assign(fake.tickets.get(id('npm')), { state: 'denied', answer: { decision: 'deny', by: 'bo', at: fake.iso(), reason: 'later' } });
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('alert').getByText('bo has answered').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'not now');
  assert.equal(await dialog.getByRole('button', { name: 'Deny' }).isDisabled(), true);
  await page.keyboard.press('Escape');

  // In the same moment: the server takes one answer, and the page says which.
  await choose(page, /kubectl/);
  fake.tickets.get(id('kubectl')).state = 'denied';
  fake.tickets.get(id('kubectl')).answer = { decision: 'deny', by: 'bo', at: fake.iso(), reason: 'not today' };
  await press(page, 'a');
  await page.getByRole('alert').getByText('bo has answered').waitFor();
  await page.getByText('Denied by bo at').waitFor();
  assert.equal(sent(fake, '/approve').length, 1);
  await flow.sound(page, 'an answer that came too late');
}
