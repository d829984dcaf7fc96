import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { choose, eventually, press } from '../lib/flow.mjs';

// Another process makes a link in the path of a call lead out of the project: while somebody
// edits the call, and after they have said yes.
export default async function (flow) {
  const program = await flow.program('turns:\n  - say: I have tried.\n');
  const [inside, outside, link] = [join(program.dir, 'real'), join(program.home, 'outside'), join(program.dir, 'link')];
  const lead = (to) => { rmSync(link, { force: true }); symlinkSync(to, link); };
  mkdirSync(inside);
  mkdirSync(outside);
  lead(inside);
  const defer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } });
  program.settings({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: `echo '${defer}'` }] }] } });
  program.write('write.yaml', 'turns:\n  - call: {Write: {file_path: link/h.txt, content: one}}\n');
  await program.run('-p', 'Write it.', '--model', 'script:write.yaml');
  const page = await flow.open(program);
  const dialog = page.getByRole('dialog', { name: 'Edit, then approve' });
  const approve = dialog.getByRole('button', { name: 'Approve as edited' });

  await choose(page, /link\/h\.txt/);
  await page.locator('#context').getByText(join(inside, 'h.txt')).waitFor();
  await press(page, 'e');
  lead(outside);
  await dialog.getByLabel('content').fill('two');
  await dialog.locator('.notice.bad').getByText(`It leads to ${join(outside, 'h.txt')}, outside of the project.`).waitFor();
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await approve.click();
  await dialog.getByText('Press once more').waitFor();
  const [{ id }] = (await program.get('tickets?state=pending')).tickets;
  assert.equal((await program.get(`tickets/${id}`)).state, 'pending');

  // It leads back, and the yes is to the file in the project.
  lead(inside);
  await dialog.getByLabel('content').fill('three');
  await dialog.getByText(`It leads to ${join(inside, 'h.txt')}.`).waitFor();
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await approve.click();
  await dialog.getByText('Press once more').waitFor();
  await page.clock.fastForward(1_000);
  await approve.click();
  await page.locator('#call').getByText('Approved as edited by').waitFor();
  lead(outside);
  await page.locator('#call .notice.bad', { hasText: `It did not run: it was approved for the file ${join(inside, 'h.txt')}` }).waitFor();
  assert.equal(await page.locator('#call .notice.good').count(), 0);
  assert.deepEqual([existsSync(join(outside, 'h.txt')), existsSync(join(inside, 'h.txt'))], [false, false]);
  await flow.sound(page, 'a call that did not run after a yes');
}
