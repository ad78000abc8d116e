import type { Gateway } from '../profiles/profile-store.ts';
import { ask } from './ask.ts';

const QUESTION = { query: '{ __typename }', variables: {} };
const ANSWER_LIMIT_MS = 10_000;

/** Whether a gateway answers calls, and takes the key of its profile. */
type HttpProof =
  | { readonly kind: 'answers'; readonly roundTripMs: number }
  | { readonly kind: 'refuses' }
  | { readonly kind: 'silent' };

/**
 * Asks the gateway the smallest question over HTTP. An answer of 500 and more may come from a proxy with nothing behind
 * it, and counts as none.
 */
export async function httpProof(
  gateway: Gateway,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<HttpProof> {
  const since = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  const answer = await ask(gateway, QUESTION, { fetch, signal: limited }).catch(() => null); // no answer came
  if (answer === null || answer.status >= 500) return { kind: 'silent' };
  if (answer.status === 401) return { kind: 'refuses' };
  return { kind: 'answers', roundTripMs: Math.round(performance.now() - since) };
}
