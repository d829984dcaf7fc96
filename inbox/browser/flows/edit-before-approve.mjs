import assert from 'node:assert/strict';
import { choose, eventually, held, press, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['exactNumber', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await press(page, 'e');
  const dialog = page.getByRole('dialog', { name: 'Edit, then approve' });
  const command = dialog.getByLabel('command');
  const approve = dialog.getByRole('button', { name: 'Approve as edited' });
  assert.equal(await approve.isDisabled(), true, 'nothing is changed yet');

  await command.fill('kubectl -n staging set image deployment/checkout checkout=registry.example.com/checkout:2.14.0');
  await dialog.getByText('new digest').waitFor();
  await dialog.locator('ins', { hasText: 'staging' }).waitFor();
  await dialog.locator('del', { hasText: '-n shop' }).waitFor();
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await flow.sound(page, 'the editor with a change');

  await command.fill('');
  await dialog.getByText('The tool does not take this input.').waitFor();
  assert.equal(await approve.isDisabled(), true);
  await command.fill('rm -rf / --no-preserve-root');
  await dialog.getByText('The rules deny this input.').waitFor();
  assert.equal(await approve.isDisabled(), true, 'what a rule denies cannot be approved');
  await flow.sound(page, 'the editor with an input that a rule denies');
  await command.fill('git push --force origin main; rm -rf /');
  await dialog.locator('ins', { hasText: '--force' }).waitFor();
  await dialog.getByText('The rules deny this input.').waitFor();
  assert.equal(await dialog.getByLabel('Type main to approve').count(), 0, 'no word is asked for that leads to nothing');

  await command.fill('git push --force origin main');
  await dialog.getByLabel('Type main to approve').fill('mai');
  assert.equal(await approve.isDisabled(), true, 'an edit that makes it dangerous takes the word');
  await dialog.getByLabel('Type main to approve').fill('main');
  await eventually(async () => assert.equal(await approve.isEnabled(), true));

  // What was found good a moment ago is not what stands there now.
  const found = held();
  fake.until = (path) => (path.endsWith('/check') ? found.promise : undefined);
  await command.fill('kubectl -n staging version');
  assert.equal(await approve.isDisabled(), true);
  found.resolve();
  await dialog.getByText('Run kubectl -n staging version').waitFor();
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await approve.click();
  await page.getByText('What was approved').waitFor();

  // Everything in sight names what runs, and says that it was edited.
  await page.locator('#undo').getByText('Approved as edited: Run kubectl -n staging version').waitFor();
  const call = page.locator('#call');
  await call.getByRole('heading', { name: 'Run kubectl -n staging version' }).waitFor();
  await call.locator('.call-head .state', { hasText: 'approved as edited' }).waitFor();
  await call.getByText('Approved as edited by ana at').waitFor();
  await call.getByText('The agent wanted: Run git fetch origin').waitFor();
  await page.locator('#context').getByText('approved as edited by ana').waitFor();
  await page.locator('#list .row', { hasText: 'kubectl -n staging version' }).getByText('approved as edited').waitFor();
  await flow.sound(page, 'a call that was approved as edited');
  const [ticket] = [...fake.tickets.values()].filter(({ kin }) => kin.includes('kubectl'));
  assert.deepEqual(sent(fake, '/approve'), [{ digest: ticket.digest, undo: true, input: { command: 'kubectl -n staging version', description: 'Roll out checkout 2.14.0' } }]);

  // A number that JavaScript cannot hold leaves the editor as it came.
  await choose(page, /12345678901234567890/);
  await press(page, 'e');
  const whole = dialog.getByLabel('The input as JSON');
  assert.match(await whole.inputValue(), /12345678901234567890/);
  await whole.fill((await whole.inputValue()).replace('"x"', '"y"'));
  await eventually(() => assert.match(fake.requests.findLast(({ path }) => path.endsWith('/check')).body, /"order": ?12345678901234567890,\s*"note": ?"y"/));
  await whole.fill('{');
  await dialog.getByText('This is not JSON yet.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
