import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSigningSecret } from '../../accounts/model/signing-secret.ts';
import { signatureHeaders } from './signature.ts';

const BODY = '{"text":"grüße, 日本"}';

describe('signatureHeaders', () => {
  it('satisfy the reference implementation', () => {
    const secret = newSigningSecret();
    const headers = signatureHeaders('whd_1', BODY, { secrets: [secret], at: new Date() });
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(newSigningSecret()).verify(BODY, headers)).toThrow();
    expect(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'whd_2' })).toThrow();
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow();
  });

  it('satisfy each of two secrets, so that one can be changed for the other', () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const headers = signatureHeaders('whd_1', BODY, { secrets, at: new Date() });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
  });

  it('carry the time of the attempt, which keeps an old one from being replayed', () => {
    const secret = newSigningSecret();
    const old = signatureHeaders('whd_1', BODY, { secrets: [secret], at: new Date(Date.now() - 6 * 60_000) });
    expect(() => new Webhook(secret).verify(BODY, old)).toThrow(/too old/);
  });
});
