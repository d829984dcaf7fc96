import assert from 'node:assert/strict';
import { choose, eventually, sent, stop } from '../lib/flow.mjs';

// The first click is refused, because the call leads elsewhere by now, and the page shows where.
// Nobody has read that when the second click of a double one comes, or a key is held down.
export default async function (flow) {
  flow.expected.push(/409/);
  const fake = await flow.fake(['test']);
  const [a, b] = ['/home/ana/shop/a/x', '/home/ana/shop/b/x'];
  const id = fake.park('write', { places: [a], files: [{ path: a, access: 'writes', inside: true }] });
  const lead = (place) => Object.assign(fake.tickets.get(id), { places: [place], files: [{ path: place, access: 'writes', inside: true }] });
  const page = await flow.open(fake);
  const approve = page.getByRole('button', { name: 'Approve once' });
  const asked = () => sent(fake, '/approve').map(({ places }) => places[0]);
  const shown = (place) => page.locator('#context').getByText(place).waitFor();
  const click = async (clickCount) => {
    const box = await approve.boundingBox();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  };

  await choose(page, /docs\/release\.md/);
  await shown(a);
  await stop(page);
  lead(b);
  await click(1);
  await shown(b);
  await eventually(async () => assert.equal(await approve.isEnabled(), true));
  await click(1);
  assert.deepEqual(asked(), [a], 'a click that was aimed before');
  await page.clock.runFor(590);
  await page.keyboard.press('a');
  await click(1);
  await page.clock.runFor(1_000);
  await click(2);
  assert.deepEqual(asked(), [a], 'the second of a double click');

  lead(a);
  await approve.focus();
  await page.keyboard.down('Enter');
  await shown(a);
  await page.clock.runFor(1_000);
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  assert.deepEqual(asked(), [a, b], 'a key that is held down');

  await click(1);
  await eventually(() => assert.deepEqual(asked(), [a, b, a]));
  await page.getByText('Approved by ana at').waitFor();
}
