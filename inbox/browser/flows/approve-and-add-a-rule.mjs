import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'edit', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await press(page, 'r');
  const dialog = page.getByRole('dialog', { name: 'Approve, and allow calls like this' });
  await dialog.getByText('+ allow Bash(kubectl -n shop set image deployment/checkout:*)').waitFor();
  await dialog.getByText('It covers 12 past calls, of which 0 were denied.').waitFor();
  await dialog.getByText('checkout:2.13.1').waitFor();
  assert.equal(await dialog.getByLabel('For whom').inputValue(), 'local');
  await flow.sound(page, 'the dialog for a rule');

  await dialog.getByRole('radio').nth(1).check();
  assert.equal(await dialog.getByLabel('For whom').inputValue(), 'session', 'each rule brings its own place');
  await dialog.getByRole('radio').nth(0).check();
  await dialog.getByLabel('For whom').selectOption('Everybody in this project');
  await dialog.getByRole('button', { name: 'Approve and add the rule' }).click();
  await page.getByText('The rule was added.').waitFor();
  const [{ digest }] = [...fake.tickets.values()].filter(({ kin }) => kin.includes('kubectl'));
  assert.deepEqual(sent(fake, '/approve'), [{ digest, undo: true, rule: { index: 0, scope: 'project', rules: ['Bash(kubectl -n shop set image deployment/checkout:*)'] } }]);

  await choose(page, /price\.ts/);
  await press(page, 'r');
  await dialog.getByText('+ permission mode acceptEdits').waitFor();
  await dialog.getByText('of which 2 were denied').waitFor();
  assert.deepEqual(await dialog.getByLabel('For whom').locator('option').allTextContents(), ['This session only']);
  await page.keyboard.press('Escape');

  await choose(page, /npm test/);
  assert.equal(await page.getByRole('button', { name: 'Approve + rule' }).isDisabled(), true, 'there is no rule to add');
}
