import assert from 'node:assert/strict';
import { choose, eventually, sent } from '../lib/flow.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test']);
  const id = fake.park('deploy');
  fake.move(id, 'approved', 'bo', { decision: 'allow' });
  fake.move(id, 'running', 'assent');
  fake.move(id, 'unknown', 'the clock');
  fake.session(id, { state: 'waits', running: false, problem: 'nobody knows whether a call of it ran', turns: [{ who: 'model', tool: 'Bash', text: 'kubectl' }] });
  const page = await flow.open(fake);
  await choose(page, /kubectl/);
  await page.getByText('Nobody knows whether it ran.').waitFor();
  await page.getByText('unknown, look').first().waitFor();
  await page.getByText('Its command may still be running: look for it first').waitFor();
  await page.getByRole('region', { name: 'The session since the answer' }).getByText('kubectl').waitFor();
  assert.equal(await page.getByText('The session waits for another answer').count(), 0, 'it waits for this one');
  await flow.sound(page, 'an unknown outcome');
  assert.equal(await page.getByRole('button', { name: 'Approve once' }).count(), 0, 'there is nothing to approve');
  await page.getByRole('button', { name: 'It did not run' }).click();
  const dialog = page.getByRole('dialog', { name: 'It did not run' });
  await dialog.getByText('Be sure that it is not still running.').waitFor();
  await dialog.getByRole('textbox').fill('The cluster still has 2.13.2.');
  await dialog.getByRole('button', { name: 'It did not run' }).click();
  await eventually(() => assert.equal(fake.tickets.get(id).state, 'pending'));
  assert.deepEqual(sent(fake, '/resolve'), [{ ran: false, note: 'The cluster still has 2.13.2.' }]);
  await page.getByRole('button', { name: 'Approve once' }).waitFor();

  // Whoever approves it next knows that it may have run.
  const notice = page.locator('#call .notice.bad', { hasText: 'It was begun before.' });
  assert.match(await notice.textContent(), /It was begun at \d\d:\d\d:\d\d and nobody saw its end; ana has said that it did not run: The cluster still has 2\.13\.2\./);
  await flow.sound(page, 'a call that was begun before');
  await choose(page, /npm test/);
  assert.equal(await page.getByText('It was begun before.').count(), 0);
}
