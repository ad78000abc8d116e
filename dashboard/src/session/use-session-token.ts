import { useCallback, useRef } from 'react';
import { useClient } from 'urql';
import { RenewSessionTokenDocument } from '../documents.generated.ts';

/** A token lasts an hour; half of it is for requests that take their time. */
const FRESH_MS = 30 * 60_000;

/** The session's signed token, with which the playground calls the API: kept in memory only. */
export function useSessionToken(): () => Promise<string> {
  const client = useClient();
  const kept = useRef<{ token: string; atMs: number } | null>(null);
  return useCallback(async () => {
    if (kept.current && Date.now() - kept.current.atMs < FRESH_MS) return kept.current.token;
    const { data, error } = await client.mutation(RenewSessionTokenDocument, {});
    if (error) throw error;
    const token = data?.renewSessionToken ?? '';
    kept.current = { token, atMs: Date.now() };
    return token;
  }, [client]);
}
