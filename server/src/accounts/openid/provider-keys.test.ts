import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { OpenIdKeys } from './provider-keys.ts';

const EXPECTED = { issuer: 'https://idp.example', audience: 'client' };

let published: JWK[];
let reads: number;
const keys = () =>
  new OpenIdKeys('https://idp.example/keys', async () => {
    reads += 1;
    return Response.json({ keys: published });
  });

async function signer(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    token: (iss = EXPECTED.issuer, aud = EXPECTED.audience) =>
      new SignJWT({ iss, aud, sub: 'somebody' })
        .setProtectedHeader({ alg, kid })
        .setExpirationTime('5m')
        .sign(privateKey),
  };
}

beforeEach(() => {
  published = [];
  reads = 0;
});

describe('the keys of a provider', () => {
  it.each(['RS256', 'PS256', 'ES256', 'RS512', 'PS384', 'ES384', 'EdDSA'])(
    'verify bearer tokens by %s',
    async (alg) => {
      const { jwk, token } = await signer(alg, 'one');
      published = [jwk];
      expect(await keys().verifyBearer(await token(), EXPECTED)).toMatchObject({ sub: 'somebody' });
      await expect(keys().verifyBearer(await token('https://evil.example'), EXPECTED)).rejects.toThrow('"iss"');
      await expect(keys().verifyBearer(await token(EXPECTED.issuer, 'another'), EXPECTED)).rejects.toThrow('"aud"');
    },
  );

  it('verify nothing that is signed by a shared secret or not at all', async () => {
    const secret = Buffer.alloc(32, 1);
    published = [{ kty: 'oct', k: secret.toString('base64url'), kid: 'one', alg: 'HS256', use: 'sig' }];
    const claims = { iss: EXPECTED.issuer, aud: EXPECTED.audience, sub: 'somebody', exp: Date.now() / 1000 + 600 };
    const hashed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const token of [hashed, `${part({ alg: 'none' })}.${part(claims)}.`]) {
      await expect(keys().verifyBearer(token, EXPECTED)).rejects.toThrow('"alg"');
      await expect(keys().verifyIdToken(token, EXPECTED)).rejects.toThrow('"alg"');
    }
  });

  it('are read again at once for an ID token of a new one, once, and not for each bearer token', async () => {
    const [former, next, unknown] = await Promise.all([
      signer('RS256', 'former'),
      signer('RS256', 'next'),
      signer('RS256', 'unknown'),
    ]);
    published = [former.jwk];
    const read = keys();
    await read.verifyIdToken(await former.token(), EXPECTED);
    published = [next.jwk];
    await expect(read.verifyBearer(await next.token(), EXPECTED)).rejects.toThrow('no applicable key');
    expect(reads).toBe(1);
    await read.verifyIdToken(await next.token(), EXPECTED);
    await read.verifyBearer(await next.token(), EXPECTED);
    expect(reads).toBe(2);
    await expect(read.verifyIdToken(await unknown.token(), EXPECTED)).rejects.toThrow('no applicable key');
    expect(reads).toBe(3);
  });
});
