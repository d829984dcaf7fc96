import assert from 'node:assert/strict';
import { hostile, raw } from '../hostile.mjs';

const texts = () => {
  const all = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) all.push(walker.currentNode.data);
  for (const node of document.querySelectorAll('*')) for (const { value } of node.attributes) all.push(value);
  return all;
};

export default async function (flow) {
  const real = await flow.real();
  const cases = [];
  for (const one of hostile) {
    cases.push({ ...one, id: await real.park('Bash', { command: one.text }) });
    cases.push({ ...one, id: await real.park('mcp__x__send', { to: one.text, [`k${[...one.text].slice(0, 20).join('')}`]: [one.text] }) });
  }
  const page = await flow.open(real);
  for (const { name, id, chips } of cases) {
    await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, id);
    await page.locator('#call article').getByText(id).waitFor();
    const shown = await page.locator('#call .untrusted').first().textContent();
    for (const chip of chips) assert.ok(shown.includes(chip), `${name}: ${chip} is to be seen`);
    const found = (await page.evaluate(texts)).filter((text) => raw.test(text.replace(/[\n\t]/g, '')));
    assert.deepEqual(found, [], `${name}: raw characters on the page`);
    assert.equal(await page.evaluate(() => 'hacked' in window), false, `${name}: something ran`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
  }
}
