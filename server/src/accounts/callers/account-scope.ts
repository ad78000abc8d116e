import { AppError } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import { type Caller, requireCaller, requireScope, requireSession } from './caller.ts';

export function isOperator(caller: Caller | null): boolean {
  return caller?.scopes.includes('operator') ?? false;
}

/** Whether the texts of an account's documents, and what quotes them, are shown: to its own keys and logins that may read. */
export function readsTexts(caller: Caller | null, accountId: string): boolean {
  return caller?.accountId === accountId && caller.scopes.includes('ocr:read');
}

/**
 * The account whose keys and settings a call is about: any for operators, its own for a login. A key without
 * `operator` gets 403, and another account is as unknown as one that does not exist.
 */
export function managedAccount(caller: Caller | null, accountId: string | null | undefined): string {
  if (isOperator(caller)) return anyAccount(requireCaller(caller), accountId);
  if (caller?.via !== 'session') requireScope(caller, 'operator');
  return ownAccount(requireSession(caller), accountId);
}

/** The account whose requests or money a call reads: its own with the scope, any for operators. */
export function readAccount(
  caller: Caller | null,
  scope: 'ocr:read' | 'usage:read',
  accountId: string | null | undefined,
): string {
  if (isOperator(caller)) return anyAccount(requireCaller(caller), accountId);
  return ownAccount(requireScope(caller, scope), accountId);
}

/** No id that is none reaches the database. */
function anyAccount(operator: Caller, accountId: string | null | undefined): string {
  if (accountId == null) return operator.accountId;
  if (isUuid(accountId)) return accountId;
  throw new AppError('not_found', 'There is no such account.');
}

function ownAccount(caller: Caller, accountId: string | null | undefined): string {
  if (accountId == null || accountId.toLowerCase() === caller.accountId) return caller.accountId;
  throw new AppError('not_found', 'There is no such account.');
}
