import assert from 'node:assert/strict';
import { connected, eventually, press, shows, signIn } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/401|410/);
  const real = await flow.people();
  const id = await real.wants('make release');
  const standing = async (ticket) => (await real.get(`tickets/${ticket}`)).state;
  const follow = (page, link) => page.evaluate((text) => { location.hash = `#/confirm/${text}`; }, link);
  const from = (page) => page.locator('#call .from-link');

  // Whoever opens it signs in first, and decides nothing by that. Others may have opened it as well.
  const link = await real.linkTo(id);
  const vera = await flow.enter(real, 'vera', { at: `#/confirm/${link}` });
  await shows(vera, /make release/);
  await from(vera).getByText('From the notification. Nothing is decided yet.', { exact: true }).waitFor();
  assert.equal(await vera.getByRole('button', { name: 'Approve once' }).count(), 0, 'a link makes nobody an approver');
  const abe = await flow.page({ size: 'phone' });
  await abe.clock.install({ time: real.now() });
  await abe.goto(`${real.url}/#/confirm/${link}`);
  await abe.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(abe, 'abe');
  await connected(abe);
  await shows(abe, /make release/);
  await from(abe).getByText('Nothing is decided yet: read the call, then answer below.').waitFor();
  assert.equal(abe.url(), `${real.url}/#/call/${id}`);
  assert.equal(await standing(id), 'pending');

  // The person confirms there.
  await abe.clock.fastForward(650);
  await abe.getByRole('button', { name: 'Approve once' }).tap();
  await abe.getByText('Approved by abe at').waitFor();
  await eventually(async () => assert.match(await standing(id), /approved|running|done/));

  // The second use is none, and says what became of the first.
  const ben = await flow.enter(real, 'ben', { at: `#/confirm/${link}` });
  await shows(ben, /make release/);
  await from(ben).getByText('An answer was given with this link already, and it is good for no other. The call does not wait for an answer any more.').waitFor();
  await ben.getByText('Approved by abe at').waitFor();
  assert.equal(await ben.getByRole('button', { name: 'Approve once' }).isDisabled(), true);
  await flow.sound(ben, 'a link that was used');

  // One that is too old, or made up, leads nowhere and says where to look.
  const next = await real.wants('make publish', { terms: { approvers: 2 } });
  const trouble = ben.getByRole('alert').getByText('This link leads nowhere any more.');
  await follow(ben, await real.linkTo(next, { minutes: -1 }));
  await trouble.waitFor();
  await ben.getByText('this link is too old: look for the call in the inbox').waitFor();
  await follow(ben, `${link.slice(0, -4)}AAAA`);
  await ben.getByText("this link is not one of this server's, or a part of it is missing").waitFor();
  await ben.getByRole('button', { name: 'Show what waits' }).click();
  await shows(ben, /make publish/);

  // Where two have to agree, both may come by one message: the second answers without the link.
  const both = await real.linkTo(next, { to: 'channel' });
  for (const page of [abe, ben]) {
    await follow(page, both);
    await shows(page, /make publish/);
    await from(page).waitFor();
  }
  await press(abe, 'a');
  await abe.locator('#call .several').getByText('one more is needed').waitFor();
  await ben.locator('#call .several').getByText('abe has approved').waitFor();
  await press(ben, 'a');
  await ben.getByRole('alert').getByText('If the call still waits you can answer it without the link: do it again.').waitFor();
  assert.equal(await standing(next), 'pending');
  await press(ben, 'a');
  await ben.getByText('Approved by ben at').waitFor();
  await eventually(async () => assert.match(await standing(next), /approved|running|done/));
}
