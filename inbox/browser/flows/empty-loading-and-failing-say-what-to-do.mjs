import assert from 'node:assert/strict';
import { connected, eventually, held, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/500|net::ERR|Failed to load/);
  const fake = await flow.fake();
  const written = fake.park('write', { state: 'done', answer: { decision: 'allow', by: 'bo', at: fake.iso(240) } });
  fake.overview = {
    running: [{ session: '00000000-0000-4000-8000-000000000009', cwd: '/home/ana/shop', prompt: 'Release checkout \u202E2.14.0' }],
    today: { allowed: 41, rules: 6, denied: 2, parked: 1 },
  };
  const loaded = held();
  fake.until = (path) => (path.endsWith('/tickets') ? loaded.promise : undefined);
  const page = await flow.page();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(fake.link);
  await page.getByText('Loading what waits…').waitFor();
  await page.getByText('If this takes long, the server is busy or cannot be reached').waitFor();
  await flow.sound(page, 'a list that loads');
  loaded.resolve();
  await connected(page);
  await page.getByRole('heading', { name: 'Nothing waits for you.' }).waitFor();
  await page.getByText('So far: 1 ran.').waitFor();

  // What there is to know meanwhile.
  const overview = page.locator('#call');
  await overview.getByText('Today 41 calls were allowed by 6 rules, 2 denied, 1 put to a person.').waitFor();
  await overview.getByRole('heading', { name: 'Running now' }).waitFor();
  await overview.locator('.untrusted', { hasText: 'Release checkout' }).getByText('⟨U+202E⟩').waitFor();
  await overview.getByRole('heading', { name: 'Answered lately' }).waitFor();
  const command = await overview.locator('.command code').first().textContent();
  assert.match(command, /^assent -p .*\n  --permission-prompt-tool mcp__assent__approve \\\n  --mcp-config '.*"--state", "\/var\/lib\/assent" .*'$/);
  await overview.getByText('searches the history').waitFor();
  await flow.sound(page, 'an empty queue');
  await overview.getByRole('button', { name: 'Copy' }).first().click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
  fake.overview = { running: [], today: null };
  fake.session(written, { state: 'done', running: false });
  await overview.getByText('No session is running here.').waitFor();
  await overview.getByRole('button', { name: /release\.md/ }).click();
  await shows(page, /release\.md/);

  // On a phone the same stands below.
  const phone = await flow.open(fake, { size: 'phone' });
  await phone.getByRole('heading', { name: 'Answered lately' }).waitFor();
  await phone.getByRole('button', { name: /release\.md/ }).click();
  await shows(phone, /release\.md/);
  await phone.getByRole('button', { name: 'All calls' }).click();
  await phone.getByRole('heading', { name: 'Answered lately' }).waitFor();

  const waiting = await flow.open(fake);
  fake.park('test');
  await waiting.locator('#list').getByText('npm test').waitFor();
  await shows(waiting, /npm test/);

  const broken = await flow.page();
  await broken.route('**/api/v1/tickets?**', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"code":"internal","message":"the tickets cannot be read: disk I/O error (look at the state directory)"}}' }));
  await broken.goto(fake.link);
  await broken.getByText('The list cannot be loaded.').waitFor();
  await broken.getByText('disk I/O error').waitFor();
  await broken.getByText('assent inbox').first().waitFor();
  await flow.sound(broken, 'a list that cannot be loaded');
  await broken.unroute('**/api/v1/tickets?**');
  await connected(broken);
  await eventually(async () => assert.equal(await broken.locator('#list li').count(), 1));

  // A call that cannot be shown says what to do; so does one that takes its time.
  const slow = held();
  fake.until = (path) => (/tickets\/[a-z0-9]+$/.test(path) ? slow.promise : undefined);
  const third = await flow.page();
  await third.goto(fake.link);
  await third.getByText('Loading the call…').waitFor();
  await third.route('**/api/v1/tickets/*', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"code":"internal","message":"the session cannot be read"}}' }));
  slow.resolve();
  fake.until = () => undefined;
  await third.reload();
  await third.getByText('This call cannot be shown.').waitFor();
  await third.getByText('assent sessions show').waitFor();
  await flow.sound(third, 'a call that cannot be shown');
}
