import { choose, press } from '../lib/flow.mjs';

// Of two people each says yes to what they were shown. A yes to another change of the file is marked, and what
// each was shown can be read later, also when somebody has denied the call.
export default async function (flow) {
  const real = await flow.people();
  await real.write('price.txt', 'first\nold\n');
  const id = await real.wantsCall('Edit', { file_path: `${real.dir}/price.txt`, old_string: 'old', new_string: 'new' }, { terms: { approvers: 2 } });
  const [abe, ben] = [await flow.enter(real, 'abe'), await flow.enter(real, 'ben')];
  const votes = (page) => page.locator('#call .several');
  await choose(abe, /price\.txt/);
  await abe.locator('#call .diff', { hasText: 'first' }).waitFor();
  await press(abe, 'a');
  await votes(abe).getByText('one more is needed').waitFor();

  await real.write('price.txt', 'second\nold\n');
  await choose(ben, /price\.txt/);
  await ben.evaluate(() => window.dispatchEvent(new Event('focus')));
  await ben.locator('#call .diff', { hasText: 'second' }).waitFor();
  await votes(ben).getByText('abe has approved something else than what is shown').waitFor();
  await ben.getByRole('button', { name: 'Approve (1 of 2)' }).waitFor();
  await ben.locator('#context').getByText('What abe was shown').click();
  await ben.locator('#context .diff', { hasText: 'first' }).waitFor();
  await flow.sound(ben, 'what another one was shown');
  await press(ben, 'a');
  await votes(ben).getByText('ben has approved (').waitFor();

  // Somebody denies it, and the last that was shown stays where it stood.
  await real.denyElsewhere(id, 'ada', 'not today');
  await real.write('price.txt', 'third\nold\n');
  await ben.locator('#call').getByText('What ben was shown:').waitFor();
  await ben.locator('#call .diff', { hasText: 'second' }).waitFor();
}
