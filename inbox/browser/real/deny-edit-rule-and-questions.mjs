import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.real();
  await real.rules({ deny: ['Bash(rm:*)'] });
  const denied = await real.park('Bash', { command: 'make publish' });
  const edited = await real.park('Bash', { command: 'make deploy ENV=production' });
  const ruled = await real.park('Bash', { command: 'make check' });
  const write = await real.park('Write', { file_path: `${real.dir}/notes.md`, content: 'one\ntwo\n' });
  const asked = await real.park('AskUserQuestion', { questions: [{ question: 'Which one?', header: 'Choice', multiSelect: false, options: [{ label: 'A', description: 'first' }, { label: 'B', description: 'second' }] }, { question: 'Which ones?', header: 'More', multiSelect: true, options: [{ label: 'C', description: '' }, { label: 'D', description: '' }] }] });
  const page = await flow.open(real);
  const state = async (id) => (await real.get(`tickets/${id}`)).state;

  await choose(page, /make publish/);
  await press(page, 'd');
  await page.getByRole('dialog').getByRole('textbox').fill('Not on a Friday.');
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Denied by ann@test at').waitFor();
  await eventually(async () => assert.match(await state(denied), /denied|refused/));

  await choose(page, /ENV=production/);
  await press(page, 'e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('command').fill('rm -rf /etc/nginx');
  await dialog.getByText('The rules deny this input.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Approve as edited' }).isDisabled(), true);
  await dialog.getByLabel('command').fill('make deploy ENV=staging');
  await dialog.locator('ins', { hasText: 'staging' }).waitFor();
  await eventually(async () => assert.equal(await dialog.getByRole('button', { name: 'Approve as edited' }).isEnabled(), true));
  await flow.sound(page, 'the editor on the real server');
  await dialog.getByRole('button', { name: 'Approve as edited' }).click();
  await page.getByText('What was approved').waitFor();
  await page.locator('#call').getByText('ran with {"command":"make deploy ENV=staging"}').waitFor();
  assert.match(await state(edited), /done/);

  await choose(page, /make check/);
  await press(page, 'r');
  await dialog.getByText(/\+ allow Bash\(make check/).waitFor();
  await dialog.getByLabel('For whom').selectOption('Everybody in this project');
  await flow.sound(page, 'a rule on the real server');
  await dialog.getByRole('button', { name: 'Approve and add the rule' }).click();
  await page.getByText('The rule is added in a moment').waitFor();
  await eventually(async () => assert.match(await real.read('.claude/settings.json'), /Bash\(make check/));
  assert.match(await state(ruled), /approved|running|done/);

  await choose(page, /notes\.md/);
  await page.getByText('the file does not exist yet').waitFor();
  await page.locator('#call ins', { hasText: 'two' }).waitFor();
  assert.equal(await state(write), 'pending');

  await choose(page, /Answer 2 questions/);
  await page.getByRole('radio', { name: /^B/ }).check();
  await page.getByRole('checkbox', { name: 'C' , exact: true }).check();
  await page.getByRole('checkbox', { name: 'D' , exact: true }).check();
  await page.clock.fastForward(650); // the call before has changed a moment ago
  await page.getByRole('button', { name: 'Send answers' }).click();
  await page.getByText('Approved by ann@test at').waitFor();
  assert.deepEqual((await real.get(`tickets/${asked}`)).edited.answers, { 'Which one?': 'B', 'Which ones?': 'C, D' });
}
