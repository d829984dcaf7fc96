import assert from 'node:assert/strict';
import { connected, eventually, held, shows } from '../lib/flow.mjs';

export default async function (flow) {
  flow.expected.push(/500|net::ERR|Failed to load/);
  const fake = await flow.fake();
  fake.park('write', { state: 'done' });
  const loaded = held();
  fake.until = (path) => (path.endsWith('/tickets') ? loaded.promise : undefined);
  const page = await flow.page();
  await page.goto(fake.link);
  await page.getByText('Loading what waits…').waitFor();
  await flow.sound(page, 'a list that loads');
  loaded.resolve();
  await connected(page);
  await page.getByRole('heading', { name: 'Nothing waits for you.' }).waitFor();
  await page.getByText('So far: 1 ran.').waitFor();
  await flow.sound(page, 'an empty queue');

  fake.park('test');
  await page.locator('#list').getByText('npm test').waitFor();
  await shows(page, /npm test/);

  const broken = await flow.page();
  await broken.route('**/api/v1/tickets?**', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"code":"internal","message":"the tickets cannot be read: disk I/O error (look at the state directory)"}}' }));
  await broken.goto(fake.link);
  await broken.getByText('The list cannot be loaded.').waitFor();
  await broken.getByText('disk I/O error').waitFor();
  await flow.sound(broken, 'a list that cannot be loaded');
  await broken.unroute('**/api/v1/tickets?**');
  await connected(broken);
  await eventually(async () => assert.equal(await broken.locator('#list li').count(), 1));
}
