import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { chooseAuthentication } from './client-authentication.ts';
import { discover, type OpenIdSettings } from './discovery.ts';

let said: Record<string, unknown> = {};
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, ...ADDRESSES, ...said }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // TCP: always an AddressInfo
const ADDRESSES = {
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};
const settings: OpenIdSettings = {
  issuer,
  clientId: 'client',
  clientSecret: 'secret',
  clientAuthentication: null,
  audience: 'client',
  trustEmail: false,
};

function found(metadata: Record<string, unknown>, change: Partial<OpenIdSettings> = {}) {
  said = metadata;
  return discover({ ...settings, ...change }, null);
}

it('finds the addresses of a provider, and keeps the keys of one that has not moved', async () => {
  const first = await found({});
  expect(first.metadata).toMatchObject({ issuer, ...ADDRESSES });
  expect((await discover(settings, first)).keys).toBe(first.keys);
  said = { jwks_uri: `${issuer}/other-keys` };
  expect((await discover(settings, first)).keys).not.toBe(first.keys);
});

it('refuses a provider that is another one, and says both names', async () => {
  await expect(found({ issuer: 'https://evil.example/' })).rejects.toThrow(
    `the provider calls itself https://evil.example/, and IDP_ISSUER is ${issuer}`,
  );
});

it.each(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'end_session_endpoint'])(
  'refuses a %s on plain http anywhere but on this machine, or of another kind',
  async (name) => {
    for (const address of ['http://idp.example/x', 'javascript:alert(1)', 'no address']) {
      await expect(found({ [name]: address })).rejects.toThrow(`the metadata's ${name} is no https address`);
    }
  },
);

it('asks no provider on plain http elsewhere', async () => {
  await expect(found({}, { issuer: 'http://idp.example' })).rejects.toThrow('only requests to HTTPS are allowed');
});

it('authenticates as the provider takes it, as the operator says, or not at all', async () => {
  expect(chooseAuthentication(undefined)).toBe('client_secret_basic');
  expect(chooseAuthentication(['client_secret_post', 'client_secret_basic'])).toBe('client_secret_basic');
  expect(chooseAuthentication(['private_key_jwt', 'client_secret_post'])).toBe('client_secret_post');
  const token_endpoint_auth_methods_supported = ['private_key_jwt'];
  await expect(found({ token_endpoint_auth_methods_supported })).rejects.toThrow('but private_key_jwt');
  await found({ token_endpoint_auth_methods_supported }, { clientAuthentication: 'client_secret_post' });
  await found({ token_endpoint_auth_methods_supported }, { clientSecret: null });
});
