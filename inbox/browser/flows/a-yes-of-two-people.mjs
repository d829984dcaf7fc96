import assert from 'node:assert/strict';
import { choose, eventually, press, reached, sent, shows, stop } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  const begun = Date.now();
  const people = new People({ ana: { role: 'approver' }, ben: { role: 'approver' }, cy: { role: 'approver' } });
  const fake = await flow.fake(['refund'], { now: () => begun, people });
  const id = fake.park('deploy', { terms: { approvers: 2 }, requester: 'dora@build-2' });
  const ticket = fake.tickets.get(id);
  const ana = await flow.enter(fake, 'ana');
  const ben = await flow.enter(fake, 'ben');
  for (const page of [ana, ben]) await choose(page, /kubectl/);
  await ana.locator(`.row[data-id="${id}"]`).getByText('needs 2 people').waitFor();
  assert.equal(await ana.locator('.row .needed').count(), 1, 'the others need one');
  const votes = (page) => page.locator('#call .several');
  await votes(ana).getByText('Needs 2 people: nobody has approved yet.').waitFor();
  await ana.getByText('asked for by dora@build-2').waitFor();
  await flow.sound(ana, 'a call that needs two people');

  // The first yes is kept, and the call waits on.
  await stop(ana);
  await ana.getByRole('button', { name: 'Approve (1 of 2)' }).click();
  await votes(ana).getByText('one more is needed').waitFor();
  await ana.getByText('Approved (1 of 2): Run').waitFor();
  assert.equal(ticket.state, 'pending');
  assert.equal(await ana.getByRole('button', { name: 'Approve (1 of 2)' }).isDisabled(), true, 'nobody is two people');
  await press(ana, 'a');
  assert.equal(sent(fake, '/approve').length, 1);
  await votes(ben).getByText(/^ana has approved \(\d\d:\d\d:\d\d\)$/).waitFor();
  await ben.getByRole('button', { name: 'Approve (2 of 2)' }).waitFor();
  await flow.sound(ben, 'a call that one of two has approved');

  // It can be taken back, at once and later.
  await ana.getByRole('region', { name: 'Take the answer back' }).getByRole('button', { name: 'Undo' }).click();
  await ana.clock.resume();
  await votes(ben).getByText('nobody has approved yet').waitFor();
  await press(ana, 'a');
  await votes(ben).getByText('ana has approved').waitFor();
  assert.ok((await reached(ana)).includes('Take your yes back'));
  await ana.getByRole('button', { name: 'Take your yes back' }).click();
  await votes(ana).getByText('nobody has approved yet').waitFor();
  assert.deepEqual(ticket.votes, []);

  // Who is about to say yes hears that theirs would be the last one.
  ticket.terms = { approvers: 2, reason: true };
  fake.note(id, 'escalated', 'the clock');
  await ben.getByText('A yes needs a reason').waitFor();
  await press(ben, 'a');
  const dialog = ben.getByRole('dialog', { name: 'Approve this call' });
  await dialog.getByRole('textbox').fill('The tests are green.');
  fake.vote(id, 'cy', { reason: 'I have looked at the image.' });
  await dialog.getByRole('alert').getByText('cy has approved it meanwhile').waitFor();
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'The tests are green.');
  await flow.sound(ben, 'a dialog while somebody else approves');
  await ben.keyboard.press('Escape');
  await votes(ben).getByText('I have looked at the image.').waitFor();

  // A yes for something else is marked, and does not count.
  fake.vote(id, 'cy', { digest: 'sha256:0000' });
  await votes(ben).getByText('cy has approved something else than what is shown, which does not count here').waitFor();
  await votes(ben).getByText('two more are needed').waitFor();
  await ben.getByRole('button', { name: 'Approve (1 of 2)' }).waitFor();
  assert.equal(await votes(ben).locator('[data-same="no"]').count(), 1);
  await flow.sound(ben, 'a yes for something else');

  // The last one lets it run.
  fake.vote(id, 'ben@elsewhere', { reason: 'as planned' });
  await ben.getByRole('button', { name: 'Approve (2 of 2)' }).waitFor();
  await press(ben, 'a');
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'The tests are green.');
  await ben.keyboard.press('Control+Enter');
  await ben.getByText('Approved by ben at').waitFor();
  await eventually(() => assert.equal(ticket.state, 'approved'));
  assert.equal(await ben.getByRole('button', { name: 'Approve (2 of 2)' }).count(), 0, 'no other yes is counted any more');
  assert.deepEqual(sent(fake, '/approve').map(({ reason }) => reason), [undefined, undefined, 'The tests are green.']);
  await ben.locator('#call .votes').getByText('as planned').waitFor();
  await ben.getByText('approved, as one of several, by ana').first().waitFor();

  // A rule of the list stays: what others say changes no count.
  await shows(ana, /kubectl/);
  assert.equal(await ana.locator('#waiting-count').textContent(), '1');
}
