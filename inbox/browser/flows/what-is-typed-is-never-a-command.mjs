import assert from 'node:assert/strict';
import { choose, eventually, press, sent, shows } from '../lib/flow.mjs';

const answers = (fake) => [...sent(fake, '/approve'), ...sent(fake, '/deny'), ...sent(fake, '/batch')];

export default async function (flow) {
  const fake = await flow.fake(['questions', 'test', 'refund', 'write', 'edit', 'deploy']);
  const page = await flow.open(fake);
  const id = (part) => [...fake.tickets.values()].find(({ kin }) => kin.includes(part)).id;
  const type = async (words) => {
    for (const key of words) {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await page.clock.fastForward(450); // slow enough for keys to answer what has just come up
    }
  };
  const dialog = page.getByRole('dialog');

  // Somebody else answers while a reason is being typed.
  await choose(page, /kubectl/);
  await press(page, 'd');
  await type('please ');
  fake.move(id('kubectl'), 'denied', 'bo', { decision: 'deny', reason: 'other' });
  await dialog.getByRole('alert').getByText('denied meanwhile by bo').waitFor();
  await type('adjust the path, a deja vu');
  assert.equal(await dialog.getByRole('textbox').inputValue(), 'please adjust the path, a deja vu');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // Its time runs out while an input is being edited.
  await choose(page, /price\.ts/);
  await press(page, 'e');
  await dialog.getByRole('textbox').first().focus();
  fake.move(id('Edit('), 'expired', 'the clock');
  await dialog.getByRole('alert').getByText('The time of this call is over').waitFor();
  await type('ja a');
  assert.match(await dialog.getByRole('textbox').first().inputValue(), /ja a/);
  assert.equal(await dialog.getByRole('button', { name: 'Approve as edited' }).isDisabled(), true);
  await page.keyboard.press('Escape');

  // A question is answered elsewhere while its answer is being typed.
  await choose(page, /Answer 3 questions/);
  const own = page.getByLabel('Other answer to question 3');
  await own.click();
  await type('call it ');
  fake.move(id('AskUser'), 'approved', 'bo', { decision: 'allow' });
  await page.getByText('Approved by bo at').waitFor();
  await type('jaja');
  assert.equal(await own.inputValue(), 'call it ', 'it is over, and can be copied');
  await page.getByRole('heading', { level: 2, name: /Answer 3/ }).click();

  // The field is taken away from under the fingers: nothing counts until they have rested.
  await choose(page, /refund/);
  await press(page, 'd');
  await type('be');
  await page.evaluate((ticket) => { location.hash = `#/call/${ticket}`; }, id('npm'));
  await dialog.waitFor({ state: 'detached' });
  await shows(page, /npm test/);
  await page.clock.fastForward(5_000); // whoever thinks for a while types on all the same
  await type('cause a j a d x');
  await shows(page, /npm test/);
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(answers(fake), [], 'nobody has answered anything here');
  await page.clock.fastForward(1_600);
  await page.keyboard.press('a');
  await eventually(() => assert.equal(sent(fake, '/approve').length, 1));
}
