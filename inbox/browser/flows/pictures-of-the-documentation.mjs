// The pictures in docs/images: a deploy that waits, with the clock standing still, so they
// change only when the page does. Without --screenshots one is drawn twice and thrown away:
// fonts differ from machine to machine, and two drawings on one machine must not.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { choose, connected } from '../lib/flow.mjs';

const now = Date.parse('2026-11-16T09:30:00Z');
const place = new URL('../../../docs/images/', import.meta.url);

async function draw(flow, size, scheme) {
  const fake = await flow.fake([], { now: () => now });
  for (const [name, ago] of [['push', 840], ['deploy', 140], ['edit', 260], ['refund', 400], ['write', 610], ['questions', 300], ['test', 720]]) fake.park(name, { ago });
  const page = await flow.page({ size, scheme });
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  await page.goto(fake.link);
  await connected(page);
  await choose(page, /kubectl/);
  await page.getByText('Live, as ana').waitFor({ state: 'attached' });
  await page.locator('#call').focus();
  await page.evaluate(() => document.activeElement.blur());
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

export default async function (flow, { screenshots }) {
  for (const size of ['desktop', 'phone']) {
    for (const scheme of ['light', 'dark']) {
      if (!screenshots && (size !== 'desktop' || scheme !== 'light')) continue;
      const [first, second] = [await draw(flow, size, scheme), await draw(flow, size, scheme)];
      assert.ok(first.equals(second), `the picture of ${size} in ${scheme} is the same every time`);
      if (!screenshots) continue;
      mkdirSync(place, { recursive: true });
      writeFileSync(new URL(`inbox-${size}-${scheme}.png`, place), first);
    }
  }
}
