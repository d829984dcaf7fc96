import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { choose } from '../lib/flow.mjs';

const dir = new URL('../../static/', import.meta.url);

export default async function (flow) {
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.page();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(fake.link);
  await choose(page, /kubectl/);
  assert.deepEqual(asked.filter((url) => !url.startsWith(fake.url)), [], 'nothing is loaded from elsewhere');

  // The browser itself would refuse to make markup of text.
  const refused = await page.evaluate(() => {
    try {
      document.createElement('div')['inner' + 'HTML'] = '<b>x</b>';
      return 'taken';
    } catch (error) {
      return error.name;
    }
  });
  flow.expected.push(/TrustedHTML/);
  assert.equal(refused, 'TypeError');

  for (const name of readdirSync(dir, { recursive: true }).filter((file) => /\.(js|html)$/.test(file))) {
    const text = readFileSync(new URL(name, dir), 'utf8');
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\son[a-z]+=|javascript:|<style|style=|https?:\/\//, name);
  }
}
