import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { describeCause, LoginFailure, loginFailure } from './openid-failure.ts';

const denied = (error: string) =>
  new openid.AuthorizationResponseError('an error', {
    cause: new URLSearchParams({ error, error_description: 'why\u001b[31m', code: 'the-code', state: 'the-state' }),
  });

const coded = (code: string) => Object.assign(new Error('what the library says'), { code });

describe('what failed between here and the provider', () => {
  it.each([
    ['denied', denied('access_denied')],
    ['refused', denied('server_error')],
    ['away', new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })],
    ['away', coded('OAUTH_TIMEOUT')],
    ['unconfirmed', coded('OAUTH_JWT_CLAIM_COMPARISON_FAILED')],
    ['late', new LoginFailure('late')],
  ])('is %s', (reason, error) => {
    expect(loginFailure(error).reason).toBe(reason);
  });

  it('stands in the log in words, without codes, tokens or what a parser could not read', () => {
    expect(describeCause(denied('access_denied'))).toBe(
      'an error OAUTH_AUTHORIZATION_RESPONSE_ERROR access_denied why [31m',
    );
    const unread = new Error('failed to parse', { cause: new SyntaxError('Unexpected token in "eyJhbGciOi…"') });
    expect(describeCause(unread)).toBe('failed to parse: SyntaxError');
    expect(describeCause(new Error('x'.repeat(1000)))).toHaveLength(400);
  });
});
