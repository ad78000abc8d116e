/** What a key may do; none implies another. */
const SCOPES = ['ocr:write', 'ocr:read', 'usage:read', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** The specification's full access to the key's own account; `operator` is given only by name. */
export const DEFAULT_SCOPES: readonly Scope[] = ['ocr:write', 'ocr:read', 'usage:read'];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
