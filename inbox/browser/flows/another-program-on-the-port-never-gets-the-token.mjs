import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { choose, connected, eventually, press } from '../lib/flow.mjs';
import { People } from '../people.mjs';

export default async function (flow) {
  flow.expected.push(/Failed to load resource|net::ERR/);
  const fake = await flow.fake(['test', 'deploy']);
  const page = await flow.open(fake);
  await choose(page, /kubectl/);

  // The server is started again, with the token that it had: the page goes on by itself.
  const port = fake.server.address().port;
  await fake.stop();
  await page.getByRole('alert').getByText('The connection to the server is lost.').waitFor();
  await fake.start(port);
  await connected(page);
  await page.getByText('The connection to the server is lost.').waitFor({ state: 'hidden' });

  // It is gone, and somebody else takes its port. What they cannot answer is tried again, and never with the token.
  await fake.stop();
  const stranger = await takePort(port);
  await eventually(() => assert.ok(stranger.heard.some(({ url }) => url.includes('/proof')), 'the page looks for its server'));
  await press(page, 'a');
  stranger.answer = (path) => (path.endsWith('/proof') ? { salt: '0'.repeat(64), proof: '0'.repeat(64) } : path.endsWith('/sign-in') ? { people: false, oidc: null } : { tickets: [], counts: {}, serial: 0, damaged: [], crowds: [], next: '' });
  await page.getByRole('heading', { name: 'The server does not know this token' }).waitFor();
  await page.getByText('Your token was not sent.').waitFor();
  await flow.sound(page, 'a server that does not prove itself');
  stranger.never(fake.token);
  assert.equal(await page.evaluate(() => sessionStorage.getItem('assent-token')), null, 'and a page that is loaded from there finds none');
  await stranger.stop();
  await fake.start(port);
  await page.goto(fake.link);
  await connected(page);

  // The same where people sign in: the form says why it is there.
  const people = await flow.fake(['test'], { people: new People({ ana: { role: 'approver' } }) });
  const other = await flow.enter(people, 'ana');
  const theirs = await other.evaluate(() => sessionStorage.getItem('assent-token'));
  const its = people.server.address().port;
  await people.stop();
  const second = await takePort(its);
  second.answer = (path) => (path.endsWith('/sign-in') ? { people: true, oidc: null } : {});
  await other.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
  await other.getByText('Your token was not sent.').waitFor();
  await flow.sound(other, 'a form of a server that does not prove itself');
  second.never(theirs);
  await second.stop();
}

/** Another program at the port of a server. Until it has an answer it fails. */
async function takePort(port) {
  const heard = [];
  const stranger = {
    heard,
    /** @type {((path: string) => any)|null} */
    answer: null,
    never(token) {
      for (const { url, headers, body } of heard) {
        assert.ok(!JSON.stringify([url, headers, body]).includes(token), `${url} carries the token`);
        assert.ok((headers.authorization ?? 'Bearer').trim() === 'Bearer', `${url} carries ${headers.authorization}`);
      }
    },
    stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
    if (!stranger.answer) return response.writeHead(500).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(stranger.answer(new URL(request.url, 'http://x').pathname)));
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  return stranger;
}
