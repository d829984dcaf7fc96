import assert from 'node:assert/strict';
import { connected, press, shows } from '../lib/flow.mjs';
import { freeAddress } from '../lib/address.mjs';

export default async function (flow) {
  flow.expected.push(/40[0134]|ERR_INCOMPLETE_CHUNKED/);
  const listen = await freeAddress();
  const provider = await flow.provider(`http://${listen}/oidc/callback`);
  const program = await flow.program('turns:\n  - say: Version 2 is released.\n', async (it) => {
    await it.person('root-of-all', 'admin');
    it.write('oidc.json', JSON.stringify({ issuer: provider.url, clientId: 'assent', secret: { file: it.secret('secret', 'a secret for + tests\n') }, name: 'Example', scopes: ['profile', 'groups'], roles: { ops: 'approver' }, arrival: 'create' }));
    return ['--listen', listen, '--public-url', `http://${listen}`, '--oidc', 'oidc.json'];
  });
  await program.park('turns:\n  - call: {Bash: {command: "echo released >> effects"}}\n');
  const ana = (...groups) => provider.next('subject-1', { preferred_username: 'ana', name: 'Ana Ito', groups });
  const other = (page) => page.getByRole('button', { name: 'Sign in with Example' });
  const refused = async (page, why) => {
    await other(page).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText(why).waitFor();
    assert.ok(!/token|code=/.test(await page.content()), 'the page says nothing that is secret');
  };

  // Somebody signs in there, comes back, and answers under that name.
  const page = await flow.page();
  await page.clock.install({ time: program.now() });
  await ana('ops');
  await page.goto(program.link);
  await other(page).click();
  await connected(page);
  await page.getByRole('button', { name: 'ana, approver' }).click();
  await page.getByRole('dialog').getByText('You are ana (Ana Ito), approver.').waitFor();
  assert.ok(!page.url().includes('token'), page.url());
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), ['assent-token'], 'nothing else is left');
  assert.deepEqual((await page.context().cookies(program.url)).filter(({ name }) => /assent/.test(name)), [], 'no cookie of this server is left');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shows(page, /echo released/);
  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  await page.getByText('The session is done').waitFor();
  assert.equal(program.read('effects'), 'released\n');

  // Nobody is let in whom the other server turns away, or who has no role here; the way back leads to the form.
  const stranger = await flow.page({ size: 'phone' });
  await provider.next('');
  await stranger.goto(program.link);
  await refused(stranger, 'Example has not signed you in. Begin again, or ask whoever runs it.');
  await flow.sound(stranger, 'somebody whom the other server turns away');
  await provider.next('subject-2', { preferred_username: 'bob', groups: ['bakers'] });
  await stranger.getByRole('link', { name: 'Back to the inbox' }).click();
  await refused(stranger, 'Example knows you, and none of your groups has a role here, so you are not let in. If you were signed in here, that has ended everywhere.');
  await provider.next('subject-3', { preferred_username: 'ana', groups: ['ops'] });
  await stranger.context().clearCookies(); // the other server still knows who was there
  await stranger.getByRole('link', { name: 'Back to the inbox' }).click();
  await refused(stranger, 'Example knows you, and this server does not let you in.');
  await stranger.goto(`${program.url}/oidc/callback?code=made-up&state=made-up`);
  await stranger.getByText('This sign-in did not begin in this browser, or it took too long. Begin again.').waitFor();

  // Who is disabled is out at once, and does not come back by the other server.
  await program.run('people', 'disable', 'ana');
  await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
  await ana('ops');
  await refused(page, 'You are disabled here. Ask an admin.');
}
