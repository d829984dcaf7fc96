import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

// A rule is offered for as little as there is, names the file and the account that it is written to, and
// holds in every project of that account only where an admin says so.
export default async function (flow) {
  const real = await flow.people();
  await real.distrust();
  await real.wants('npm test');
  await real.hold('codex', 'Bash', { command: 'npm run theirs' });
  for (const name of ['abe', 'ada']) {
    const page = await flow.enter(real, name);
    const dialog = page.getByRole('dialog', { name: 'Approve, and allow calls like this' });
    const place = dialog.getByLabel('For whom');
    const files = dialog.getByText(/written by the account ann@test of the server/);

    await choose(page, /npm test/);
    await press(page, 'r');
    await dialog.getByText(/\+ allow Bash\(npm test/).waitFor();
    assert.equal(await place.inputValue(), 'session');
    assert.equal(await files.count(), 0, 'a session has no file');
    await page.keyboard.press('Escape');

    await choose(page, /npm run theirs/);
    await press(page, 'r');
    await dialog.getByText(/\+ allow Bash\(npm run/).waitFor();
    assert.equal(await place.inputValue(), 'local', 'also where it does nothing for now');
    await dialog.getByText('It would do nothing there.').waitFor();
    assert.match(await files.textContent(), /project\/\.claude\/settings\.local\.json/);
    const offered = await place.locator('option').allTextContents();
    assert.deepEqual(offered, ['This project, on this machine only', 'Everybody in this project', ...(name === 'ada' ? ['Every project of the account ann@test'] : [])]);
    await flow.sound(page, `a rule, as ${name} may add one`);
    if (name === 'ada') {
      await place.selectOption('Every project of the account ann@test');
      assert.match(await files.textContent(), /home\/\.claude\/settings\.json/);
    }
    await page.keyboard.press('Escape');
  }
}
