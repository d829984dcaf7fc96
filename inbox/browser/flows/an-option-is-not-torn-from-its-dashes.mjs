import assert from 'node:assert/strict';
import { choose } from '../lib/flow.mjs';

// A line that ends with "--" reads like an argument of its own.
export default async function (flow) {
  const fake = await flow.fake(['deploy']);
  const long = `--${'x'.repeat(120)}`;
  fake.park('test', { input: { command: `npm test -- --reporter=spec ${long}` }, sentence: `Run \`npm test -- --reporter=spec ${long}\`` });
  const page = await flow.open(fake);
  /** How many options have their dashes in another line than what follows. */
  const torn = () => page.evaluate(() => {
    let n = 0;
    const walker = document.createTreeWalker(document.querySelector('#call'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index, 0: dashes } of node.data.matchAll(/(?<=^|\s)-{1,2}(?=\w)/g)) {
        const top = (at) => {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          return range.getBoundingClientRect().top;
        };
        if (Math.abs(top(index) - top(index + dashes.length)) > 2) n++;
      }
    }
    return n;
  });
  for (const name of [/kubectl/, /npm test/]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await choose(page, name);
    for (let width = 340; width < 520; width += 4) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await torn(), 0, `${width} px`);
    }
    assert.equal(await page.locator('#call pre').first().textContent(), await page.evaluate(() => document.querySelector('#call pre').innerText), 'nothing is added to the text');
    await flow.sound(page, 'a long option');
  }
}
