import assert from 'node:assert/strict';
import { hostile } from '../hostile.mjs';
import { clean } from '../lib/clean.mjs';
import { choose, shows } from '../lib/flow.mjs';

/** Somebody comments by a program, which sends what no field of a page would. */
function comment(page, id, text) {
  return page.evaluate(async (given) => {
    const response = await fetch(`api/v1/tickets/${given.id}/comment`, { method: 'POST', headers: { Authorization: `Bearer ${sessionStorage.getItem('assent-token')}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ text: given.text }) });
    return response.status;
  }, { id, text });
}

export default async function (flow) {
  const real = await flow.people();
  const id = await real.wants('make release', { requester: 'abe\u202E@desk', terms: { approvers: 2 } });
  const [vera, abe] = [await flow.enter(real, 'vera'), await flow.enter(real, 'abe', { size: 'phone' })];
  await choose(vera, /make release/);
  await abe.locator('#list').getByRole('button', { name: /make release/ }).tap();
  await shows(abe, /make release/);
  await vera.getByLabel('Comment, for the others').fill('Is it <b>signed</b>? \u202Egnp.tset');
  await vera.getByRole('button', { name: 'Comment' }).click();
  const comments = abe.locator('#comments li');
  await comments.first().getByText('Is it <b>signed</b>?').waitFor();
  for (const { text } of hostile) assert.equal(await comment(vera, id, text), 200);
  await comments.nth(hostile.length).waitFor();
  for (const page of [vera, abe]) {
    const shown = await page.locator('#comments li').allTextContents();
    assert.match(shown[0], /vera/);
    assert.match(shown[0], /⟨U\+202E⟩/);
    hostile.forEach(({ name, text, chips }, i) => {
      for (const chip of chips) assert.ok(shown[i + 1].includes(chip), `${name}: ${chip} is to be seen: ${JSON.stringify(shown[i + 1])}`);
      if (chips.length === 0) assert.ok(shown[i + 1].includes(text), `${name}: the text stands as it is`);
    });
    await page.getByText('abe⟨U+202E⟩@desk').waitFor();
    await clean(page, 'comments of others');
    assert.equal(await page.getByText('Approved by Ana', { exact: true }).count(), 0, 'no comment is an answer');
  }
  await flow.sound(abe, 'hostile comments on the real server');
}
