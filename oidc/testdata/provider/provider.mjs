// A server that knows people, for the tests: oidc-provider, with people whom the test names.
//
//     node provider.mjs CALLBACK [PORT]
//
// It says its address in one line on stdout, and ends with its stdin. POST /test/who says who
// signs in next, and with which claims: {"sub": "…", "claims": {…}}. Nobody is asked for a
// password: whoever comes is the one who was named.

import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const installed = createRequire(new URL('../../../.tools/provider/', import.meta.url));
const { default: Provider } = await import(pathToFileURL(installed.resolve('oidc-provider')));

const [callback, port = '0'] = process.argv.slice(2);
const people = new Map();
let next = '';

const http = createServer();
await new Promise((done) => http.listen(Number(port), '127.0.0.1', done));
const issuer = `http://127.0.0.1:${http.address().port}`;

const client = { redirect_uris: [callback], grant_types: ['authorization_code'], response_types: ['code'] };
const provider = new Provider(issuer, {
  clients: [
    { client_id: 'assent', client_secret: 'a secret for + tests', ...client },
    { client_id: 'public', token_endpoint_auth_method: 'none', ...client },
    { client_id: 'other', client_secret: 'another secret', ...client },
  ],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'], groups: ['groups'] },
  cookies: { keys: ['only for tests'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, interaction) => `/test/interaction/${interaction.uid}` },
  findAccount: (_, sub) => people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
});

/** Everybody agrees to everything. */
async function finish(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  if (next === '') return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'nobody is there' });
  const grant = new provider.Grant({ accountId: next, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  return provider.interactionFinished(request, response, { login: { accountId: next }, consent: { grantId: await grant.save() } });
}

async function name(request, response) {
  let text = '';
  for await (const part of request) text += part;
  const who = JSON.parse(text);
  next = who.sub;
  if (next !== '') people.set(next, who.claims);
  response.writeHead(204).end();
}

const answer = provider.callback();
http.on('request', (request, response) => {
  if (request.url === '/test/who') return void name(request, response);
  if (request.url.startsWith('/test/interaction/')) return void finish(request, response).catch((error) => response.writeHead(500).end(String(error)));
  return answer(request, response);
});

process.stdin.resume().on('end', () => process.exit());
console.log(issuer);
