import assert from 'node:assert/strict';
import { hostile } from '../hostile.mjs';
import { clean } from '../lib/clean.mjs';
import { press } from '../lib/flow.mjs';
import { passwordOf, People } from '../people.mjs';

export default async function (flow) {
  const known = { ana: { role: 'approver', shown: hostile[0].text, for: hostile.map(({ text }) => text) } };
  const fake = await flow.fake([], { people: new People(known, hostile[0].text) });
  const cases = hostile.map((one) => ({ ...one, id: fake.park('test', { requester: one.text, terms: { approvers: 3, reason: true, not_requester: true } }) }));
  const barred = fake.park('refund', { mayNotWhy: hostile.map(({ text }) => text).join(' ') });
  const page = await flow.page();
  await page.clock.install({ time: fake.now() });
  await page.goto(fake.url);
  await page.getByRole('button', { name: 'Sign in with' }).waitFor();
  await clean(page, 'the form');
  await page.getByLabel('Name').fill('ana');
  await page.getByLabel('Password').fill(passwordOf('ana'));
  await page.keyboard.press('Enter');
  await page.locator('#connection[data-state="live"]').waitFor();

  for (const { name, id, text, chips } of cases) {
    await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, id);
    await page.locator('#call article').getByText(id).waitFor();
    fake.vote(id, text, { reason: text });
    fake.vote(id, `${text} for bo`, { reason: text, digest: 'sha256:0000' });
    fake.note(id, 'comment', text, text);
    await page.locator('#comments li').first().waitFor();
    await page.locator('#call .votes li').nth(1).waitFor();
    for (const place of ['#comments li', '#call .votes', '#call .facts:has(#looking)']) {
      const shown = await page.locator(place).first().textContent();
      for (const chip of chips) assert.ok(shown.includes(chip), `${name}: ${chip} is to be seen in ${place}: ${JSON.stringify(shown)}`);
      if (chips.length === 0 && text.length < 1000) assert.ok(shown.includes(text), `${name}: the text stands as it is in ${place}`);
    }
    await clean(page, name);
    for (const part of ['#call', '#queue', '#context']) assert.ok(await page.locator(part).evaluate((node) => node.scrollWidth <= node.clientWidth), `${name}: ${part} is as wide as before`);
    await press(page, 'a');
    await page.getByRole('dialog').waitFor();
    fake.vote(id, `again ${text}`);
    await page.getByRole('dialog').getByRole('alert').getByText('has approved it meanwhile').waitFor();
    await clean(page, `${name}, in a dialog`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await flow.sound(page, 'hostile names, comments and reasons');

  await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, barred);
  await page.locator('#bar .why-not').getByText('⟨U+202E⟩').waitFor();
  await clean(page, 'why somebody may not answer');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator('#show-me').click();
  await page.getByRole('dialog').waitFor();
  await clean(page, 'who one is');
}
