import assert from 'node:assert/strict';
import { eventually, press, shows } from '../lib/flow.mjs';
import { freeAddress } from '../lib/address.mjs';

// A call waits, a message of it goes out, and two people come by its link: one by one, with names.
export default async function (flow) {
  flow.expected.push(/401|410/);
  const listener = await flow.listener();
  const listen = await freeAddress();
  const program = await flow.program('turns:\n  - say: Version 2 is released.\n', async (it) => {
    for (const name of ['ana', 'ben']) await it.person(name, 'approver');
    const target = listener.target('ops', it.secret('webhook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n'));
    it.always = { assent: { notifications: [target], approvals: { any: { approvers: 2 } } } };
    it.settings({});
    return ['--listen', listen, '--public-url', `http://${listen}`];
  });
  assert.equal(program.link, `http://${listen}/`, 'the link of the server lets nobody in');
  await program.park('turns:\n  - call: {Bash: {command: "echo released >> effects"}}\n');
  await eventually(() => assert.ok(listener.first('call.waits')));
  const { link, sentence } = listener.first('call.waits').data;
  assert.equal(sentence, 'Run a command: echo', 'no words of the call');
  assert.ok(link.startsWith(`${program.url}/#/confirm/`), link);

  const at = link.slice(program.url.length + 1);
  const ana = await flow.enter(program, 'ana', { at });
  await shows(ana, /echo released/);
  const from = (page) => page.locator('#call .from-link');
  await from(ana).getByText('Nothing is decided yet: read the call, then answer below.').waitFor();
  await ana.locator('#call .several').getByText('Needs 2 people: nobody has approved yet.').waitFor();

  await flow.sound(ana, 'a call from a real notification');
  await press(ana, 'a');
  await ana.locator('#call .several').getByText('one more is needed').waitFor();
  assert.equal(program.read('effects'), '', 'one yes is not enough');

  const ben = await flow.enter(program, 'ben', { at, size: 'phone' });
  await shows(ben, /echo released/);
  await from(ben).getByText('An answer was given with this link already, and it is good for no other. Nothing is decided yet: read the call, then answer below without it.').waitFor();
  await flow.sound(ben, 'a link with which one of two has answered');
  await ben.clock.fastForward(650);
  await ben.getByRole('button', { name: 'Approve (2 of 2)' }).tap();
  await ben.getByText('Approved by ben at').waitFor();
  await ben.getByText('The session is done').waitFor();
  assert.equal(program.read('effects'), 'released\n', 'it ran once');
  await eventually(() => assert.ok(listener.first('call.answered')));
}
