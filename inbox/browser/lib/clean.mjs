// Nothing on a page hides, whatever others have written.

import assert from 'node:assert/strict';
import { raw } from '../hostile.mjs';

/** All text that the page shows or speaks, also in titles and labels. */
const texts = () => {
  const all = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) all.push(walker.currentNode.data);
  for (const node of document.querySelectorAll('*')) for (const { value } of node.attributes) all.push(value);
  for (const node of document.querySelectorAll('textarea, input')) all.push(node.value);
  return all;
};

/** No text holds a character that cannot be seen, and nothing of it ran. */
export async function clean(page, where) {
  const found = (await page.evaluate(texts)).filter((text) => raw.test(text.replace(/[\n\t]/g, '')));
  assert.deepEqual(found, [], `${where}: raw characters on the page`);
  assert.equal(await page.evaluate(() => 'hacked' in window), false, `${where}: something ran`);
}
