// The pictures in docs/images: a deploy that waits, one that needs two people, and an inbox in which nothing waits, with
// the clock standing still, so they change only when the page does. Without --screenshots each is drawn twice and thrown away:
// fonts differ from machine to machine, and two drawings on one machine must not.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { noRuleForDeploy } from '../examples.mjs';
import { choose, connected, signIn } from '../lib/flow.mjs';
import { People } from '../people.mjs';

const now = Date.parse('2026-11-16T09:30:00Z');
const place = new URL('../../../docs/images/', import.meta.url);

async function open(flow, size, scheme, park, people = null) {
  const fake = await flow.fake([], { now: () => now, people });
  park(fake);
  const page = await flow.page({ size, scheme });
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  await page.goto(people ? fake.url : fake.link);
  if (people) await signIn(page, 'ana');
  await connected(page);
  await page.getByText(people ? 'ana, approver' : 'Live, as ana').waitFor({ state: 'attached' });
  return { fake, page };
}

async function still(page) {
  await page.evaluate(() => document.activeElement.blur());
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

async function aCall(flow, size, scheme) {
  const { fake, page } = await open(flow, size, scheme, (fake) => {
    for (const [name, ago] of [['push', 840], ['deploy', 140], ['edit', 260], ['refund', 400], ['write', 610], ['questions', 300], ['test', 720]]) fake.park(name, { ago, ...(name === 'deploy' && { suggestion: null, no_rule: noRuleForDeploy }) });
  });
  await choose(page, /kubectl/);
  fake.visit('bo', [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl')).id);
  await page.getByText('bo has this call open, too').waitFor();
  await page.getByText('The record is whole').waitFor({ state: 'attached' });
  await page.locator('#call').focus();
  return still(page);
}

async function ofTwo(flow, size, scheme) {
  const { fake, page } = await open(flow, size, scheme, (fake) => {
    for (const [name, ago] of [['push', 840], ['edit', 260], ['test', 720]]) fake.park(name, { ago });
    fake.park('deploy', { ago: 140, requester: 'dora@build-2', terms: { approvers: 2, reason: true }, suggestion: null, no_rule: 'the settings say who has to approve such calls, and a rule would let them run without those' });
  }, new People({ ana: { role: 'approver', shown: 'Ana Ito' } }));
  const { id } = [...fake.tickets.values()].find(({ kin }) => kin.includes('kubectl'));
  fake.vote(id, 'ben for cleo', { reason: 'The tests are green, and I have read the diff.' });
  await choose(page, /kubectl/);
  await page.getByRole('button', { name: 'Approve (2 of 2)' }).waitFor();
  await page.getByText('The record is whole').waitFor({ state: 'attached' });
  await page.locator('#call').focus();
  return still(page);
}

async function nothing(flow, size, scheme) {
  const { page } = await open(flow, size, scheme, (fake) => {
    const answered = (name, state, ago, decision, by, reason) => fake.park(name, { state, ago: ago + 200, answer: { decision, by, at: fake.iso(ago), reason } });
    answered('test', 'done', 3000, 'allow', 'bo', '');
    answered('push', 'refused', 2100, 'deny', 'bo', 'not on a Friday');
    answered('deploy', 'done', 900, 'allow', 'ana', '');
    fake.overview = { running: [{ session: '5d0c0b52-8c1e-4d52-a9b1-0e1a6c2f7d11', cwd: '/home/ana/shop', prompt: 'Release checkout 2.14.0 to the shop cluster. Tests must be green first.' }], today: { allowed: 41, rules: 6, denied: 2, parked: 3 } };
  });
  await page.getByRole('heading', { name: 'Answered lately' }).waitFor();
  return still(page);
}

const every = ['desktop', 'phone'].flatMap((size) => ['light', 'dark'].map((scheme) => [size, scheme]));
const pictures = [
  { name: 'inbox', draw: aCall, forms: every },
  { name: 'inbox-empty', draw: nothing, forms: every },
  { name: 'inbox-people', draw: ofTwo, forms: [['desktop', 'light']] },
];

export default async function (flow, { screenshots }) {
  for (const { name, draw, forms } of pictures) {
    for (const [size, scheme] of screenshots ? forms : [['desktop', 'light']]) {
      const [first, second] = [await draw(flow, size, scheme), await draw(flow, size, scheme)];
      assert.ok(first.equals(second), `the picture ${name} of ${size} in ${scheme} is the same every time`);
      if (!screenshots) continue;
      mkdirSync(place, { recursive: true });
      writeFileSync(new URL(`${name}-${size}-${scheme}.png`, place), first);
    }
  }
}
