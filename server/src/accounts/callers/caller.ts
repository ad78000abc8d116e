import { AppError } from '../../platform/errors.ts';
import type { Tier } from '../model/account.ts';
import type { Scope } from '../model/scopes.ts';

/** Who makes a call: an account, by one of its keys or by a login. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
  readonly history: boolean;
  /** How many days the account keeps texts; null or absent: for ever. */
  readonly textDays?: number | null;
  /** Whether the key has a spending limit. */
  readonly hasBudget?: boolean;
  /** `session`: logged in to the dashboard, by its cookie. `token`: by a signed token, as the playground calls the API. */
  readonly via: 'key' | 'session' | 'token';
  readonly sessionId?: string;
}

/** The caller of an operation that needs one; 401 when there is none. */
export function requireCaller(caller: Caller | null): Caller {
  if (!caller) {
    throw new AppError('authentication_error', 'Send your API key in the header `Authorization: Bearer sk-ocr-…`.');
  }
  return caller;
}

/** The caller, when the key has the scope; 401 without a caller, 403 `insufficient_scope` without the scope. */
export function requireScope(caller: Caller | null, scope: Scope): Caller {
  const known = requireCaller(caller);
  if (!known.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', `This key lacks the scope \`${scope}\`. Use a key that has it.`);
  }
  return known;
}

/** Nobody is logged in: every page of the dashboard asks before a login, and this is how it learns it. */
export class NoLogin extends AppError {
  constructor() {
    super('authentication_error', LOG_IN);
  }
}

const LOG_IN = 'Log in to the dashboard first.';

/** The caller of what belongs to the dashboard: a login, never a key; 401 otherwise. */
export function requireSession(caller: Caller | null): Caller {
  if (caller === null) throw new NoLogin();
  if (caller.via !== 'session') throw new AppError('authentication_error', LOG_IN);
  return caller;
}
