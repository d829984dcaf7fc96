import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

// Codex cannot ask. Its hook waits while somebody looks, and says what was answered.
export default async function (flow) {
  const program = await flow.program('turns: []\n');
  program.settings({ permissions: { deny: ['Bash(rm:*)'] } });
  let thread = 0;
  const codex = (command, name = 'Bash') => program.hook('codex', { hook_event_name: 'PreToolUse', session_id: `thread-${++thread}`, tool_name: name, tool_input: name === 'Bash' ? { command } : { cmd: command } });
  const page = await flow.open(program);

  const approved = codex('make install');
  await choose(page, /make install/);
  await page.getByText('held by the guard of codex').waitFor();
  await flow.sound(page, 'a call that a guard holds');
  await press(page, 'a');
  await page.getByText(/^Approved by .* at/).waitFor();
  assert.deepEqual(await approved, { status: 0, out: '', errors: '' }, 'which Codex takes for a yes');

  const denied = codex('make publish');
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /make publish/);
  await press(page, 'd');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('The tests are broken.');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  const no = JSON.parse((await denied).out).hookSpecificOutput;
  assert.equal(no.permissionDecision, 'deny');
  assert.match(no.permissionDecisionReason, /denied by .*: The tests are broken\./);

  const edited = codex('make deploy ENV=production');
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /ENV=production/);
  await press(page, 'e');
  const approve = dialog.getByRole('button', { name: 'Approve as edited' });
  await dialog.getByLabel('command').fill('rm -r deployed');
  await dialog.getByText('The rules deny this input.').waitFor();
  assert.equal(await approve.isDisabled(), true);
  await dialog.getByLabel('command').fill('make deploy ENV=staging');
  await dialog.locator('ins', { hasText: 'staging' }).waitFor();
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await flow.sound(page, 'the editor for a call that a guard holds');
  await approve.click();
  await page.getByText('What was approved').waitFor();
  const yes = JSON.parse((await edited).out).hookSpecificOutput;
  assert.equal(yes.permissionDecision, 'allow');
  assert.deepEqual(yes.updatedInput, { command: 'make deploy ENV=staging' });

  const fixed = codex('make clean', 'exec_command');
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /make clean/);
  await page.getByText('It can be approved only as it is: codex said it in other words').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit' }).isDisabled(), true);
  await flow.sound(page, 'a call that runs only as it is');
  await press(page, 'a');
  assert.equal((await fixed).out, '');
}
