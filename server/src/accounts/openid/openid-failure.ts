import * as openid from 'openid-client';
import { AppError, type ErrorCode } from '../../platform/errors.ts';

/** Why a login at the identity provider came to nothing, with what the person can do. */
const FAILURES = {
  late: [
    'authentication_error',
    'The login took too long, or began in another browser. Sign in again, in one tab and within ten minutes.',
  ],
  state: [
    'authentication_error',
    'The answer of the identity provider does not belong to the login that began here last. Sign in again, in one tab.',
  ],
  denied: [
    'authentication_error',
    'The login was cancelled at the identity provider, or it does not let you in here. Sign in again and agree there; ' +
      'if it refuses you, ask the people who run it for access.',
  ],
  refused: [
    'provider_error',
    'The identity provider refused the login with an error. Try again in a minute; if it stays, tell the operator of this service.',
  ],
  misconfigured: [
    'provider_error',
    'The identity provider does not accept this service as it is set up. Tell the operator of this service; signing in ' +
      'again will not help before.',
  ],
  away: ['provider_error', 'The identity provider does not answer as it should. Try again in a minute.'],
  unconfirmed: ['authentication_error', 'The identity provider did not confirm the login. Sign in again.'],
  noEmail: [
    'authentication_error',
    'The identity provider tells no e-mail address of you, and this is your first login here. Add one there and sign ' +
      'in again, or ask the operator of this service.',
  ],
  unverifiedEmail: [
    'authentication_error',
    'The identity provider has not verified your e-mail address, and this is your first login here. Verify it there, ' +
      'then sign in again.',
  ],
  noAccount: [
    'authentication_error',
    'There is no account here for this login. Ask the operator of this service to make one for your e-mail address.',
  ],
  connected: [
    'authentication_error',
    'The account of your e-mail address belongs to another login at the identity provider. Sign in with that one, or ' +
      'ask the operator of this service to disconnect it.',
  ],
  unverifiedAccount: [
    'authentication_error',
    'There is an account of your e-mail address already, and nobody has shown that it is yours. Ask the operator of ' +
      'this service to look into it.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

export type LoginFailureReason = keyof typeof FAILURES;

/** A login at the identity provider that failed: the message is for the person, the cause for the log. */
export class LoginFailure extends AppError {
  readonly reason: LoginFailureReason;

  constructor(reason: LoginFailureReason, cause?: unknown) {
    const [code, message] = FAILURES[reason];
    super(code, message, {}, { cause });
    this.reason = reason;
  }
}

/** What of the provider's the person has decided, or must. */
const DENIED = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required']);
/** Of a token endpoint: the code is to blame, and a new one may do. */
const NEW_CODE_MAY_DO = new Set(['invalid_grant']);
/** Codes of the libraries for an answer that is none. */
const NO_ANSWER = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'ERR_JWKS_TIMEOUT']);

/** Whatever was thrown between here and the provider. */
export function loginFailure(error: unknown): LoginFailure {
  if (error instanceof LoginFailure) return error;
  if (error instanceof openid.AuthorizationResponseError) {
    return new LoginFailure(DENIED.has(error.error) ? 'denied' : 'refused', error);
  }
  if (error instanceof openid.ResponseBodyError) {
    return new LoginFailure(NEW_CODE_MAY_DO.has(error.error) ? 'unconfirmed' : 'misconfigured', error);
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) return new LoginFailure('misconfigured', error);
  const code = codeOf(error);
  const isCoded = code.startsWith('OAUTH_') || code.startsWith('ERR_J');
  return new LoginFailure(!isCoded || NO_ANSWER.has(code) ? 'away' : 'unconfirmed', error);
}

const LONGEST_CAUSE = 400;

/** An error for the log: what happened and where, without the answer itself, in which tokens and codes stand. */
export function describeCause(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) {
    // What a parser complains of quotes what it could not read.
    parts.push(
      at instanceof SyntaxError ? at.name : [at.message, codeOf(at), ...detailsOf(at)].filter(Boolean).join(' '),
    );
  }
  return parts
    .join(': ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_CAUSE);
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** What providers say of an error, and which claim is wrong. */
function detailsOf(error: Error): string[] {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) {
    return [error.error, error.error_description ?? ''];
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    return error.cause.flatMap(({ scheme, parameters }) => [
      scheme,
      parameters.error ?? '',
      parameters.error_description ?? '',
    ]);
  }
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Response) return [`HTTP ${cause.status}`];
  const { claim, attribute, reason } = (cause ?? {}) as Record<string, unknown>;
  return [claim, attribute, reason].filter((detail) => typeof detail === 'string');
}
