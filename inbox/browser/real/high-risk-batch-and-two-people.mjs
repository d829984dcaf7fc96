import assert from 'node:assert/strict';
import { choose, eventually, press, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/409|404/);
  const real = await flow.real();
  const page = await flow.open(real);
  await page.getByRole('heading', { name: 'Nothing waits for you.' }).waitFor();
  await flow.sound(page, 'the real server with nothing to do');

  const push = await real.park('Bash', { command: 'git push --force origin main' });
  await shows(page, /git push --force/);
  await press(page, 'a');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type main to approve').fill('main');
  await dialog.getByRole('button', { name: 'Approve once' }).click();
  await page.getByText('Approved by ann@test at').waitFor();
  await eventually(async () => assert.match((await real.get(`tickets/${push}`)).state, /approved|running|done/));

  // Three alike at once; the list has waited for the person to ask.
  const alike = [];
  for (const n of [1, 2, 3]) alike.push(await real.park('Bash', { command: `make part${n}` }));
  const guarded = await real.hold('cursor', 'Bash', { command: 'make install' });
  await page.getByRole('button', { name: /4 new/ }).click();
  for (const n of [1, 2]) await page.locator('#list').getByRole('checkbox', { name: new RegExp(`make part${n}`) }).check();
  await press(page, 'Shift+A');
  await dialog.getByRole('button', { name: 'Approve 2 calls' }).click();
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => assert.match((await real.get(`tickets/${alike[1]}`)).state, /approved|running|done/));

  // Another page, and somebody at a terminal.
  const other = await flow.open(real);
  await choose(other, /make part3/);
  await choose(page, /make part3/);
  await press(other, 'd');
  await other.getByRole('dialog').getByRole('textbox').fill('I was about to');
  await real.denyElsewhere(alike[2], 'bo', 'it is broken');
  await page.getByText('Denied by bo at').waitFor();
  await other.getByText('Denied by bo at').waitFor();
  await other.getByRole('dialog').getByText('denied meanwhile by bo').waitFor();
  assert.equal(await other.getByRole('dialog').getByRole('textbox').inputValue(), 'I was about to');
  assert.equal(await other.getByRole('dialog').getByRole('button', { name: 'Deny' }).isDisabled(), true);

  await choose(page, /make install/);
  await page.getByText('held by the guard of cursor').waitFor();
  await page.getByText('It can be approved only as it is').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit' }).isDisabled(), true, 'a guard cannot run another input');
  await press(page, 'a');
  await page.getByText('Approved by ann@test at').waitFor();
  assert.match((await real.get(`tickets/${guarded}`)).state, /approved/);

  const late = await real.expired('Bash', { command: 'make late' });
  await page.evaluate((id) => { location.hash = `#/call/${id}`; }, late);
  await page.getByText('Its time is over.').waitFor();
  await page.evaluate(() => { location.hash = '#/call/zzzzzzzzzzzz'; });
  await page.getByText('There is no such call.').waitFor();

  await page.keyboard.press('/');
  await page.getByLabel('Search all calls').fill('it is broken');
  await eventually(async () => assert.equal(await page.locator('#list li').count(), 1));
}
