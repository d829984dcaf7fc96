// A program of somebody who wants to be told: it takes the messages of a webhook.

import { createServer } from 'node:http';

export class Listener {
  /** The messages that came, in their order. */
  came = [];
  #server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    this.came.push(JSON.parse(text));
    response.writeHead(204).end();
  });

  async start() {
    await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  /** What the settings say of it. @param {string} secret the file with its secret */
  target(name, secret) {
    return { name, type: 'webhook', url: this.url, private: true, secret: { file: secret } };
  }

  /** The first message of a type, as soon as it is there. */
  first(type) {
    return this.came.find((message) => message.type === type);
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
