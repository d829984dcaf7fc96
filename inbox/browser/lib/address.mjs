// An address for a server that has to know its own before it starts.

import { createServer } from 'node:net';

/** One at which nobody listens at the moment. */
export async function freeAddress() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return `127.0.0.1:${port}`;
}
