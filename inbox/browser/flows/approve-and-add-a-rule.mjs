import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'edit', 'deploy']);
  fake.park('write', { suggestion: { updates: [{ type: 'setMode', rules: [], mode: 'acceptEdits', account: 'ana@build-2', destination: 'session', files: {}, scopes: ['session', 'project'], held: ['project'], why: 'nobody has trusted this workspace', says: 'every further change runs' }], covers: 0, denied: 0, examples: [] } });
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await press(page, 'r');
  const dialog = page.getByRole('dialog', { name: 'Approve, and allow calls like this' });
  await dialog.getByText('+ allow Bash(kubectl -n shop set image deployment/checkout:*)').waitFor();
  assert.equal(await dialog.getByLabel('For whom').inputValue(), 'session', 'the narrowest place');
  await dialog.getByLabel('For whom').selectOption('This project, on this machine only');
  await dialog.getByText('It covers 12 past calls, of which 0 were denied.').waitFor();
  await dialog.getByText('checkout:2.13.1').waitFor();
  await flow.sound(page, 'the dialog for a rule');

  await dialog.getByRole('radio').nth(1).check();
  assert.equal(await dialog.getByLabel('For whom').inputValue(), 'session', 'each rule brings its own place');
  await dialog.getByRole('radio').nth(0).check();
  await dialog.getByLabel('For whom').selectOption('Everybody in this project');
  await dialog.getByRole('button', { name: 'Approve and add the rule' }).click();
  await page.getByText('The rule is added in a moment').waitFor();
  const [{ id, digest }] = [...fake.tickets.values()].filter(({ kin }) => kin.includes('kubectl'));
  assert.deepEqual(sent(fake, '/approve'), [{ digest, undo: true, rule: { index: 0, scope: 'project', rules: ['Bash(kubectl -n shop set image deployment/checkout:*)'], directories: [] } }]);
  fake.settleRule(id, { state: 'failed', problem: 'the file is read-only' });
  await page.getByText('The call is approved, but the rule was not added.').waitFor();
  fake.settleRule(id, { state: 'added', problem: undefined });
  await page.getByText('The rule was added to').waitFor();

  await choose(page, /price\.ts/);
  await press(page, 'r');
  await dialog.getByText('+ permission mode acceptEdits').waitFor();
  await dialog.getByText('every further change of files in the workspace, in this session, runs without asking').waitFor();
  await dialog.getByRole('button', { name: 'Approve, and do not ask for these' }).waitFor();
  assert.deepEqual(await dialog.getByLabel('For whom').locator('option').allTextContents(), ['This session only']);
  await page.keyboard.press('Escape');

  // Where the past was not asked, nothing is said about it.
  await choose(page, /release\.md/);
  await page.locator('#context').getByRole('heading', { name: 'Instead of asking each time' }).waitFor();
  assert.equal(await page.locator('#context').getByText('It covers').count(), 0);
  await press(page, 'r');
  assert.equal(await dialog.getByText('It covers').count(), 0);
  assert.equal(await dialog.getByText('It would do nothing there.').isVisible(), false);
  await dialog.getByLabel('For whom').selectOption('Everybody in this project');
  await dialog.getByText('It would do nothing there.').waitFor();
  await dialog.getByText('nobody has trusted this workspace').waitFor();
  await flow.sound(page, 'the dialog for a mode');
  await page.keyboard.press('Escape');

  await choose(page, /npm test/);
  assert.equal(await page.getByRole('button', { name: 'Approve + rule' }).isDisabled(), true, 'there is no rule to add');
}
