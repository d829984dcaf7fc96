import assert from 'node:assert/strict';
import { choose, press, sent } from '../lib/flow.mjs';

// While a dialog is open the page reads the call again, and a link in its path leads elsewhere
// by then. The dialog says so and sends nothing; what it would send is what it has shown.
export default async function (flow) {
  flow.expected.push(/409/);
  const before = '/home/ana/shop/docs/release.md';
  const outside = '/srv/other/release.md';
  const fake = await flow.fake(['test']);
  const rules = { decision: 'ask', reason: 'no rule allows it', paths: [{ given: before, inside: true }] };
  const ids = ['deploy', 'push'].map((name) => fake.park(name, { asker: 'claude', guard: 'waits', places: [before], rules }));
  const page = await flow.open(fake);
  const moved = (id, changes) => { Object.assign(fake.tickets.get(id), changes); fake.guard(id, 'waits'); }; // and the page looks
  const dialog = page.getByRole('dialog');
  const ended = dialog.locator('.notice.bad', { hasText: 'Nothing was sent.' });
  const send = dialog.locator('.sends button');
  const closed = async () => { await page.keyboard.press('Escape'); await dialog.waitFor({ state: 'detached' }); };

  await choose(page, /kubectl/);
  await press(page, 'r');
  await dialog.getByText(`It leads to ${before}.`).waitFor();
  await flow.sound(page, 'a rule for a call that leads to a file');
  moved(ids[0], { places: [outside] });
  await ended.getByText(`It leads to another file now: ${outside}.`).waitFor();
  assert.equal(await send.isDisabled(), true);
  await page.keyboard.press('Control+Enter');
  await closed();

  // The page has not looked yet: what is sent is what stood there.
  await press(page, 'r');
  await dialog.getByText(`It leads to ${outside}, outside of the project.`).waitFor();
  fake.tickets.get(ids[0]).places = [before];
  await send.click();
  await dialog.getByText('it leads to /home/ana/shop/docs/release.md now').waitFor();
  assert.deepEqual(sent(fake, '/approve').map(({ places }) => places), [[outside]]);
  await closed();

  await choose(page, /git push/);
  for (const [changes, says] of [[{ places: [outside] }, `It leads to another file now: ${outside}.`], [{ confirm: { word: 'other', why: 'it is another' } }, 'Its risk is another one now']]) {
    await press(page, 'a');
    await dialog.getByText('It leads to ').waitFor();
    await dialog.getByRole('textbox').fill(fake.tickets.get(ids[1]).confirm.word);
    moved(ids[1], changes);
    await ended.getByText(says).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Enter');
    await closed();
    await page.clock.fastForward(1_000);
  }
  assert.equal(sent(fake, '/approve').length, 1);

  // Nobody keeps a call from being denied by moving a link.
  await press(page, 'd');
  await dialog.getByRole('textbox').fill('not there');
  moved(ids[1], { places: [before] });
  await page.locator('#call article').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Denied by ana at').waitFor();
}
