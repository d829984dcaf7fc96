import assert from 'node:assert/strict';
import { choose, eventually, press, reached, sent, shows } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  const fake = await flow.fake(['test', 'questions', 'deploy'], { people: new People({ vera: { role: 'viewer' } }) });
  fake.park('refund', { state: 'unknown' });
  const page = await flow.enter(fake, 'vera');
  const why = page.locator('#bar').getByText(/vera is a viewer, and viewers answer nothing|You are signed in as a viewer, so you answer nothing/);
  const answers = ['Approve once', 'Deny', 'Edit', 'Approve + rule', 'It ran', 'It did not run', 'Approve chosen', 'Send answers', 'Look at it, and approve with it'];
  for (const call of [/refund/, /kubectl/, /Answer 3 questions/, /npm test/]) {
    await choose(page, call);
    await why.waitFor();
    for (const name of answers) assert.equal(await page.getByRole('button', { name }).count(), 0, `${name} is not there`);
    for (const key of ['a', 'd', 'e', 'r', 'x', 'Shift+A']) {
      await page.locator('#announce').evaluate((node) => { node.textContent = ''; });
      await press(page, key);
      await eventually(async () => assert.match(await page.locator('#announce').textContent(), /viewer/), `${key} says why`);
    }
    await press(page, 'u');
    assert.equal(await page.getByRole('dialog').count(), 0, 'the keys do nothing');
  }
  assert.equal(await page.locator('#list input:enabled').count(), 0, 'nothing can be chosen');
  assert.equal(await page.locator('#list input:checked').count(), 0);
  await flow.sound(page, 'what a viewer sees');
  await choose(page, /Answer 3 questions/);
  assert.equal(await page.locator('#questions input:enabled:not([readonly])').count(), 0, 'the form cannot be filled in');
  await page.keyboard.press('j');
  const before = sent(fake, '/approve').length + sent(fake, '/deny').length + sent(fake, '/batch').length + sent(fake, '/resolve').length;
  assert.equal(before, 0);

  // A viewer may comment.
  await choose(page, /kubectl/);
  await page.getByLabel('Comment, for the others').fill('Looks right to me.');
  await page.getByRole('button', { name: 'Comment' }).click();
  await page.locator('#comments').getByText('Looks right to me.', { exact: true }).waitFor();
  const seen = await reached(page);
  assert.ok(seen.some((text) => text.includes('Next')) && !seen.some((text) => text.includes('Deny')), seen.join(' | '));

  // One who may answer others is told why not this one.
  const other = await flow.fake([], { people: new People({ ana: { role: 'approver' } }) });
  const barred = other.park('test', { mayNotWhy: 'Only the team of the shop answers its calls.' });
  other.park('refund');
  const phone = await flow.enter(other, 'ana', { size: 'phone' });
  await phone.locator('#list').getByRole('button', { name: /npm test/ }).tap();
  await shows(phone, /npm test/);
  const line = phone.locator('#bar').getByText('Only the team of the shop answers its calls.');
  await line.waitFor();
  const box = await line.boundingBox();
  assert.ok(box.y + box.height <= 844 && box.width > 250, `it stands where the buttons are: ${JSON.stringify(box)}`);
  assert.equal(await phone.getByRole('button', { name: 'Approve once' }).count(), 0);
  await flow.sound(phone, 'a call that somebody may not approve');
  await phone.getByRole('button', { name: 'Deny' }).tap();
  await phone.getByRole('dialog').getByRole('textbox').fill('Ask them.');
  await phone.getByRole('dialog').getByRole('button', { name: 'Deny' }).tap();
  await eventually(() => assert.equal(other.tickets.get(barred).state, 'denied'));
  await phone.goBack();
  await phone.locator('#list').getByRole('button', { name: /refund/ }).tap();
  await eventually(async () => assert.equal(await phone.getByRole('button', { name: 'Approve once' }).isEnabled(), true));
}
