import type { Target } from '../attack.ts';
import { ask, byLogin } from './ask.ts';

/** A new key of the account without money; null where it has as many as it may have. */
export async function makeKey(target: Target, signal: AbortSignal): Promise<string | null> {
  const body = { query: 'mutation { createKey { apiKey } }' };
  const text = await ask({ ...byLogin(target, target), body, refusals: ['invalid_request'] }, signal);
  const { data } = JSON.parse(text) as { data?: { createKey: { apiKey: string } } | null }; // what it asked for
  return data?.createKey.apiKey ?? null;
}
