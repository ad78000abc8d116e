import { AppError } from '../../platform/errors.ts';

/** What a key may do; none implies another. */
const SCOPES = ['ocr:write', 'ocr:read', 'usage:read', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** The specification's full access to the key's own account; `operator` is given only by name. */
export const DEFAULT_SCOPES: readonly Scope[] = ['ocr:write', 'ocr:read', 'usage:read'];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** The scopes that a caller may give to a new key. Throws 403 for `operator`, which only operators hand on. */
export function grantableScopes(wanted: readonly string[] | null, byOperator: boolean): readonly string[] {
  const scopes = wanted ?? DEFAULT_SCOPES;
  if (byOperator || !scopes.includes('operator')) return scopes;
  throw new AppError('insufficient_scope', 'Only operators give the scope `operator`.');
}
