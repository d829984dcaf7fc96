import assert from 'node:assert/strict';
import { press, shows, stop } from '../lib/flow.mjs';

export default async function (flow) {
  const real = await flow.people();
  await real.deputy('abe', 'dee');
  const id = await real.wants('make release', { requester: 'root@build-2', terms: { approvers: 2, reason: true } });
  const [abe, dee, ben] = [await flow.enter(real, 'abe'), await flow.enter(real, 'dee'), await flow.enter(real, 'ben', { size: 'phone' })];
  await ben.locator('#list').getByRole('button', { name: /make release/ }).tap();
  for (const page of [abe, dee, ben]) await shows(page, /make release/);
  const votes = (page) => page.locator('#call .several');
  const dialog = (page) => page.getByRole('dialog', { name: 'Approve this call' });
  await votes(abe).getByText('Needs 2 people: nobody has approved yet.').waitFor();
  await abe.getByText('A yes needs a reason, which is kept on record.').waitFor();

  // A yes without a reason is none.
  await press(abe, 'a');
  await dialog(abe).getByRole('button', { name: 'Approve (1 of 2)' }).click();
  await dialog(abe).getByRole('alert').getByText('Write a reason: it is kept on record with your yes.').waitFor();
  await dialog(abe).getByRole('textbox').fill('The tests are green.');
  await stop(abe);
  await abe.keyboard.press('Control+Enter');

  // The first one is a vote, which its person can take back.
  await abe.getByRole('region', { name: 'Take the answer back' }).getByText('Approved (1 of 2): Run').waitFor();
  await abe.clock.resume();
  await votes(abe).getByText('one more is needed').waitFor();
  assert.equal(await abe.getByRole('button', { name: 'Approve (1 of 2)' }).isDisabled(), true, 'nobody is two people');
  await votes(ben).getByText(/^abe has approved \(\d\d:\d\d:\d\d, reason: “?The tests are green\.”?\)$/).waitFor();
  await ben.getByRole('button', { name: 'Approve (2 of 2)' }).waitFor();
  await flow.sound(ben, 'a vote on the real server, on a phone');
  await votes(abe).getByRole('button', { name: 'Take your yes back' }).click();
  await votes(ben).getByText('nobody has approved yet').waitFor();
  assert.deepEqual((await real.get(`tickets/${id}`)).votes ?? [], []);

  // A deputy is no second voice.
  await dee.locator('#call').getByText('You answer for abe.').waitFor();
  await press(dee, 'a');
  await dialog(dee).getByRole('textbox').fill('abe has told me to');
  await dee.keyboard.press('Control+Enter');
  await votes(abe).getByText('dee for abe has approved').waitFor();
  await abe.locator('#bar').getByText('dee for abe has approved it already: that is the yes of abe, and somebody else has to say another one').waitFor();
  assert.equal(await abe.getByRole('button', { name: /^Approve/ }).count(), 1, 'only that for several at once is left');
  await flow.sound(abe, 'a call for which a deputy has spoken');

  // The second person completes it.
  await ben.getByRole('button', { name: 'Approve (2 of 2)' }).tap();
  await dialog(ben).getByRole('textbox').fill('I have looked at it, too.');
  await dialog(ben).getByRole('button', { name: 'Approve (2 of 2)' }).tap();
  for (const page of [abe, dee, ben]) {
    await page.locator('#call').getByText('Approved by ben at').waitFor();
    await page.locator('#call .votes').getByText('dee for abe has approved').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Approve (' }).count(), 0, 'no other yes is counted any more');
  }
  await flow.sound(abe, 'a call that two have approved');
  const { state, answer, history } = await real.get(`tickets/${id}`);
  assert.match(state, /approved|running|done/);
  assert.deepEqual([answer.by, answer.reason], ['ben', 'I have looked at it, too.']);
  assert.deepEqual(history.filter(({ kind }) => kind).map(({ kind, who }) => `${kind} ${who}`), ['vote abe', 'withdrawn abe', 'vote dee for abe']);
  await abe.locator('#facts').getByText('yes taken back by abe').waitFor();
}
