import assert from 'node:assert/strict';
import { choose, eventually, press } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.real();
  await real.rules({ allow: ['Bash(npm test:*)'], ask: ['Bash(./deploy:*)'] });
  const id = await real.park('Bash', { command: 'npm test && ./deploy production' });
  const page = await flow.open(real);
  await choose(page, /deploy production/);
  const parts = page.getByRole('region', { name: 'Commands and their verdicts' });
  await parts.getByRole('listitem').filter({ hasText: 'npm test' }).getByText('allowed').waitFor();
  await parts.getByRole('listitem').filter({ hasText: './deploy production' }).getByText('asks').waitFor();
  await page.getByText('.claude/settings.json:1').first().waitFor();
  await page.locator('#context').getByText('deploy the site').waitFor();
  await flow.sound(page, 'a real call');

  await press(page, 'a');
  const undo = page.getByRole('region', { name: 'Take the answer back' });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => assert.equal((await real.get(`tickets/${id}`)).state, 'pending'));
  await page.locator('#call').getByText('waits', { exact: true }).waitFor();

  await press(page, 'a');
  await page.getByText('Approved by ann@test at').waitFor();
  await page.getByText('The session is done').waitFor();
  const progress = page.getByRole('region', { name: 'The session since the answer' });
  await progress.getByText('ran with {"command":"npm test && ./deploy production"}').waitFor();
  await progress.getByText('Everything is done as you said.').first().waitFor();
  await page.locator('#list li').getByText('done').waitFor();
  await flow.sound(page, 'a real session with its result');
  assert.equal((await real.get('history?q=production')).tickets.length, 1);
}
