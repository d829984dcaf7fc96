import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// The reason that somebody writes on the page is what the model hears, and nothing runs.
export default async function (flow) {
  const program = await flow.program('turns:\n  - expect: Not on a Friday.\n    say: Then I leave it.\n');
  const session = await program.park('turns:\n  - call: {Bash: {command: "echo released >> effects"}}\n');
  const page = await flow.open(program);
  await choose(page, /echo released/);
  await press(page, 'd');
  const dialog = page.getByRole('dialog', { name: 'Deny this call' });
  await dialog.getByRole('textbox').fill('Not on a Friday.');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await page.getByText(/^Denied by .* at/).waitFor();
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('The session is done').waitFor();
  await progress.getByText('Then I leave it.').first().waitFor();
  await progress.getByText('Not on a Friday.').first().waitFor();
  await flow.sound(page, 'a denied session with its end');
  assert.equal(program.read('effects'), '');
  assert.equal((await program.get(`sessions/${session}`)).result, 'Then I leave it.');
}
