import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// Codex ends a hook that takes too long. The answer is kept for its next try, and whoever
// gives it knows that, on the page and in a terminal.
export default async function (flow) {
  const program = await flow.program('turns: []\n');
  const event = (thread, command) => ({ hook_event_name: 'PreToolUse', session_id: thread, tool_name: 'Bash', tool_input: { command } });
  const page = await flow.open(program);
  const call = page.locator('#call');

  const giveUp = program.impatient('codex', event('thread-1', 'make install'));
  await choose(page, /make install/);
  await call.getByText('held by the guard of codex, which waits').waitFor();
  await giveUp();
  await call.getByText('Its agent has stopped waiting.').waitFor();
  await call.getByText(/If you approve, codex gets the answer when it tries this call again/).waitFor();
  await press(page, 'a');
  await page.getByText(/^Approved by .* at/).waitFor();
  await call.getByText(/codex gets the answer when it tries this call again.* Nothing runs before\./).waitFor();
  await flow.sound(page, 'an answer that codex has not fetched');
  assert.deepEqual(await program.hook('codex', event('thread-1', 'make install')), { status: 0, out: '', errors: '' }, 'which Codex takes for a yes');

  const giveUpAgain = program.impatient('codex', event('thread-2', 'make publish'));
  await page.getByRole('button', { name: /1 new/ }).click();
  await choose(page, /make publish/);
  await call.getByText('which waits').waitFor();
  await giveUpAgain();
  await call.getByText('Its agent has stopped waiting.').waitFor();
  const { tickets } = await program.get('tickets?state=pending');
  program.secret('token', program.token);
  const { status, out, errors } = await program.run('approve', tickets[0].id, '--server', program.url, '--token-file', 'token');
  assert.equal(status, 0, out + errors);
  assert.match(out, /codex has stopped waiting: it gets the answer when it tries this call again, until \d{4}-/);
}
