import assert from 'node:assert/strict';
import { choose, connected, eventually, sent } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/net::ERR/);
  const fake = await flow.fake(['test', 'refund', 'deploy']);
  const page = await flow.open(fake);
  const id = (part) => [...fake.tickets.values()].find(({ kin }) => kin.includes(part)).id;
  const line = page.locator('#looking');
  const row = (text) => page.locator('#list li', { hasText: text });
  await choose(page, /refund/);
  await eventually(() => assert.equal(sent(fake, '/presence').at(-1)?.ticket, id('refund')));
  assert.equal(await line.isVisible(), false, 'alone there is nothing to say');

  fake.visit('bo', id('refund'));
  await line.getByText('bo has this call open, too').waitFor();
  await row('refund').getByText('bo looks').waitFor();
  await flow.sound(page, 'a call that somebody else has open');
  fake.visit('ana', id('refund'));
  await line.getByText('bo and another window have this call open, too').waitFor();
  fake.visit('bo', id('npm'));
  await line.getByText('Another window has this call open, too').waitFor();
  await row('npm test').getByText('bo looks').waitFor();
  await row('refund').getByText('bo looks').waitFor({ state: 'detached' });
  fake.visit('ana', '');
  await line.waitFor({ state: 'hidden' });

  // A name is text of somebody else.
  fake.visit('b\u202Eo', id('refund'));
  await line.getByText('⟨U+202E⟩').waitFor();
  fake.visit('b\u202Eo', '');

  // A form that is being filled in stays as it is.
  const deploy = id('kubectl');
  await choose(page, /kubectl/);
  await page.keyboard.press('Tab');
  const focused = await page.evaluateHandle(() => document.activeElement);
  fake.visit('bo', deploy);
  await line.getByText('bo has this call open, too').waitFor();
  assert.ok(await focused.evaluate((node) => node.isConnected && node === document.activeElement), 'the focus stays');

  // Another window of this person: each sees the other, and a closed one is not seen.
  const other = await flow.open(fake);
  await choose(other, /kubectl/);
  await other.locator('#looking').getByText('bo and another window have this call open, too').waitFor();
  await line.getByText('bo and another window have this call open, too').waitFor();
  await other.close();
  await line.getByText('bo has this call open, too').waitFor();

  // After a lost connection the page says again what is open, and knows who else is there.
  const before = sent(fake, '/presence').length;
  fake.visit('bo', '');
  fake.cut();
  await eventually(async () => {
    await page.clock.fastForward(1000);
    await connected(page);
    assert.ok(sent(fake, '/presence').length > before);
  });
  assert.equal(sent(fake, '/presence').at(-1).ticket, deploy);
  assert.equal(await line.isVisible(), false);
  assert.equal(new Set(sent(fake, '/presence').map(({ window }) => window)).size, 2, 'each window has one name');

  // Who looks elsewhere has no call open.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await eventually(() => assert.equal(sent(fake, '/presence').at(-1).ticket, ''));
}
