import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { choose, eventually, press } from '../lib/flow.mjs';

// An agent without a person parks its call and ends. Somebody approves on the page, the
// session goes on in the server, and the page shows how it runs and what comes of it.
export default async function (flow) {
  const program = await flow.program('turns:\n  - say: Now I wait for the mirror.\n    call: {Bash: {command: cat gate}}\n  - expect: mirrored\n    say: Version 2 is released.\n');
  const page = await flow.open(program);
  await page.getByRole('heading', { name: 'Nothing waits for you.' }).waitFor();

  execFileSync('mkfifo', [join(program.dir, 'gate')]);
  const session = await program.park('turns:\n  - say: I release it.\n    call: {Bash: {command: "echo released >> effects"}}\n');
  assert.equal(program.read('effects'), '', 'nothing ran before somebody said yes');
  await choose(page, /echo released/);
  await page.locator('#context').getByText('Release version 2.').waitFor();
  await flow.sound(page, 'a call of an agent that has ended');

  await press(page, 'a');
  await page.getByText(/^Approved by .* at/).waitFor();
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('The session is running').waitFor();
  await progress.getByText('Now I wait for the mirror.').waitFor();
  assert.equal(program.read('effects'), 'released\n');
  await flow.sound(page, 'a session that runs in the server');

  program.append('gate', 'mirrored\n');
  await progress.getByText('The session is done').waitFor();
  await progress.locator('.untrusted', { hasText: 'The result' }).getByText('Version 2 is released.').waitFor();
  await page.locator('#list li', { hasText: 'echo released' }).getByText('done').waitFor();
  const told = await program.get(`sessions/${session}`);
  assert.deepEqual([told.state, told.running, told.result], ['done', false, 'Version 2 is released.']);
  assert.equal(program.read('effects'), 'released\n', 'it ran once');
  await eventually(async () => assert.equal((await program.get('history?q=released')).tickets[0].state, 'done'));
}
