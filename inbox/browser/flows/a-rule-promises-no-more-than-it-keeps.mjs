import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// Whoever adds a rule is shown the file for the place they choose, how the rule would have
// done there, and what it does not change.
export default async function (flow) {
  const fake = await flow.fake(['deploy', 'edit']);
  const past = (n) => Array.from({ length: n }, (_, i) => ({ id: `past${i}0000000`, state: 'done', sentence: `Run \`npm run lint ${i}\`` }));
  const files = { local: '/home/ana/shop/.claude/settings.local.json', user: '/home/ana/.claude/settings.json' };
  const suggestion = { updates: [{ type: 'addRules', rules: ['Bash(npm run lint:*)'], account: 'ana@build-2', destination: 'session', files, scopes: ['session', 'local', 'user'] }], covers: 3, denied: 0, examples: [], session: { covers: 1, denied: 1, examples: past(1) } };
  fake.park('test', { input: { command: 'npm run lint' }, sentence: 'Run `npm run lint`', kin: 'Bash(npm run)', suggestion, stopped_by: 'hook', why: 'every npm run needs a person' });
  const page = await flow.open(fake);
  const dialog = page.getByRole('dialog', { name: 'Approve, and allow calls like this' });
  const place = dialog.getByLabel('For whom');

  await choose(page, /kubectl/);
  await press(page, 'r');
  assert.equal(await place.inputValue(), 'session', 'the narrowest place');
  await place.selectOption('This project, on this machine only');
  await dialog.getByText('in /home/ana/shop/.claude/settings.local.json, written by the account ana@build-2 of the server').waitFor();
  await place.selectOption('Every project of the account ana@build-2');
  await dialog.getByText('in /home/ana/.claude/settings.json').waitFor();
  assert.equal(await dialog.getByText('settings.local.json').count(), 0, 'the file is that of the place');
  await place.selectOption('This session only');
  assert.equal(await dialog.getByText('settings.json').count(), 0, 'a session has no file');
  await dialog.getByText('It covers no other call of this session so far.').waitFor();
  assert.equal(await dialog.getByText('checkout:2.13.1').count(), 0, 'calls of other sessions are not covered');
  await flow.sound(page, 'a rule for the session');
  await place.selectOption('This project, on this machine only');
  await dialog.getByText('It covers 12 past calls').waitFor();
  await dialog.getByText('checkout:2.13.1').waitFor();
  assert.equal(await dialog.getByText('hook').count(), 0);
  await page.keyboard.press('Escape');

  // A mode is for what comes.
  await choose(page, /price\.ts/);
  assert.equal(await page.locator('#context').getByText('past call').count(), 0);
  await press(page, 'r');
  await dialog.getByText('+ permission mode acceptEdits').waitFor();
  assert.equal(await dialog.getByText(/It covers|Past calls/).count(), 0);
  await page.keyboard.press('Escape');

  // A hook asks whatever the rules say.
  await choose(page, /npm run lint/);
  await page.locator('#context').getByText('A hook stopped this call, and it stops calls like this all the same').waitFor();
  await press(page, 'r');
  await dialog.getByText('The hook asks all the same.').waitFor();
  await place.selectOption('This project, on this machine only');
  await dialog.getByText('Without the hook it would have covered 3 past calls').waitFor();
  assert.equal(await dialog.getByText('It covers').count(), 0, 'nothing is promised');
  await flow.sound(page, 'a rule for what a hook has stopped');
  await place.selectOption('This session only');
  await dialog.getByText('Without the hook it would have covered 1 other call of this session, of which 1 was denied.').waitFor();
  await dialog.getByText('npm run lint 0').waitFor();
  await page.keyboard.press('Escape');

  // What does nothing says so, and nothing is not counted.
  fake.park('test', { input: { command: 'npm run fmt' }, sentence: 'Run `npm run fmt`', suggestion: { ...suggestion, updates: [{ ...suggestion.updates[0], held: ['local'], why: 'nobody has trusted this workspace' }], covers: 0 }, stopped_by: 'hook', ago: 1 });
  await page.locator('#fresh').click();
  await choose(page, /npm run fmt/);
  await press(page, 'r');
  assert.equal(await place.inputValue(), 'session');
  assert.equal(await dialog.getByText('It would do nothing there.').isVisible(), false);
  await place.selectOption('This project, on this machine only');
  await dialog.getByText('It would do nothing there.').waitFor();
  await place.selectOption('Every project of the account ana@build-2');
  await dialog.getByText('It would have covered no past call.').waitFor();
}
