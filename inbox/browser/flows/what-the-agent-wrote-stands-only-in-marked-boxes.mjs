import assert from 'node:assert/strict';
import { choose, press } from '../lib/flow.mjs';

/** The elements outside of a marked box in which a text occurs. */
const outside = (marker) => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.includes(marker) && !node.parentElement.closest('[data-untrusted]')) found.push(node.parentElement.outerHTML.slice(0, 200));
  }
  return found;
};

export default async function (flow) {
  const marker = 'words-of-the-agent';
  const fake = await flow.fake();
  const id = fake.park('deploy', {
    input: { command: `echo ${marker}`, description: marker }, sentence: 'Run a command', context: { prompt: marker, turns: [{ who: 'model', text: marker, tool: marker }, { who: 'tool', text: marker }] },
    rules: { decision: 'ask', reason: 'a rule says ask', parts: [{ text: `echo ${marker}`, outcome: 'ask', why: 'a rule says ask', span: [0, 1], decided: true }] },
    change: { path: marker, lines: [`+${marker}`] }, why: 'a rule says ask',
  });
  fake.park('questions', { sentence: 'Answer a question', questions: [{ question: marker, header: marker, multiSelect: true, options: [{ label: marker, description: marker }] }] });
  const page = await flow.open(fake);
  await choose(page, 'Run a command');
  assert.ok(await page.locator('[data-untrusted]', { hasText: marker }).count() > 2);
  assert.deepEqual(await page.evaluate(outside, marker), [], 'a call');
  await press(page, 'e');
  await page.getByRole('dialog').getByLabel('command').fill(`echo other ${marker}`);
  await page.getByRole('dialog').locator('ins', { hasText: 'other' }).waitFor();
  assert.ok(await page.getByRole('dialog').getByLabel('command').evaluate((node) => Boolean(node.closest('[data-untrusted]'))));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await press(page, 'a');
  await page.getByText('Approved by ana at').waitFor();
  fake.move(id, 'done', 'a worker');
  fake.session(id, { state: 'done', running: false, turns: [{ who: 'model', text: marker, tool: marker }], result: marker });
  await page.getByText('The session is done').waitFor();
  assert.deepEqual(await page.evaluate(outside, marker), [], 'a session');

  await choose(page, 'Answer a question');
  assert.deepEqual(await page.evaluate(outside, marker), [], 'a question');
}
