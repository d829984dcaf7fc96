import assert from 'node:assert/strict';
import { choose, eventually, press, sent, stop } from '../lib/flow.mjs';

// A person approves the file that the dialog has shown, also when a link in its path is made
// to lead elsewhere while they type.
export default async function (flow) {
  const fake = await flow.fake(['test']);
  const before = '/home/ana/shop/docs/release.md';
  const outside = '/srv/other/release.md';
  const id = fake.park('write', { places: [before] });
  const page = await flow.open(fake);
  const dialog = page.getByRole('dialog', { name: 'Edit, then approve' });
  const approve = dialog.getByRole('button', { name: 'Approve as edited' });
  const ready = () => eventually(async () => assert.equal(await approve.isEnabled(), true));

  await choose(page, /release\.md/);
  await press(page, 'e');
  await dialog.getByLabel('content').fill('one');
  await dialog.getByText(`It leads to ${before}`).waitFor();
  assert.equal(await dialog.getByText('another file').count(), 0, 'it is the file that was shown');

  // The link is swapped, and the next check finds it.
  fake.tickets.get(id).places = [outside];
  await dialog.getByLabel('content').fill('two');
  const notice = dialog.locator('.notice.bad', { hasText: 'It leads to another file than the call that was shown.' });
  await notice.getByText(`leads to ${outside}, outside of the project`).waitFor();
  await notice.getByText(before).waitFor();
  await flow.sound(page, 'an edit that leads to another file');
  await ready();
  await stop(page);
  await approve.click();
  await dialog.getByText('Press once more').waitFor();
  await approve.click();
  await page.clock.resume();
  assert.deepEqual(sent(fake, '/approve'), [], 'one click, and the second of a double one, only show it');

  // It leads back: nothing is red, and what the dialog showed before is not what is sent.
  fake.tickets.get(id).places = [before];
  await dialog.getByLabel('content').fill('back');
  await dialog.getByText(`It leads to ${before}.`).waitFor();
  assert.equal(await notice.count(), 0);
  await ready();
  await approve.click();
  await dialog.getByText('Press once more').waitFor();
  assert.deepEqual(sent(fake, '/approve'), []);

  // It leads elsewhere once more: what was seen before does not count for that.
  fake.tickets.get(id).places = ['/srv/third/release.md'];
  await dialog.getByLabel('content').fill('three');
  await notice.getByText('leads to /srv/third/release.md').waitFor();
  await ready();
  await page.clock.fastForward(2_000);
  await approve.click();
  await dialog.getByText('Press once more').waitFor();
  assert.deepEqual(sent(fake, '/approve'), []);
  await page.clock.fastForward(2_000);
  await approve.click();
  await page.getByText('What was approved').waitFor();
  assert.deepEqual(sent(fake, '/approve').map(({ places }) => places), [['/srv/third/release.md']]);
}
