import { useCallback, useRef } from 'react';
import { Refusal } from '../http/refusal.ts';
import { useSessionToken } from '../session/use-session-token.ts';
import type { OcrBody } from './request-body.ts';
import { newIdempotencyKey, type OcrResult, sendDocument } from './send-document.ts';

/** One for each engine of a comparison: a body has megabytes. */
const MOST_UNANSWERED = 2;

/**
 * Sends documents. One that got no answer keeps its idempotency key: sent again, it is the same request, and charged once, whatever
 * became of it.
 */
export function useSending(): (body: OcrBody) => Promise<OcrResult> {
  const tokenOf = useSessionToken();
  const unanswered = useRef(new Map<string, string>());
  return useCallback(
    async (body) => {
      const keys = unanswered.current;
      const text = JSON.stringify(body);
      const key = keys.get(text) ?? newIdempotencyKey();
      const token = await tokenOf();
      keys.set(text, key);
      for (const old of [...keys.keys()].slice(0, -MOST_UNANSWERED)) keys.delete(old);
      try {
        const result = await sendDocument(text, { key, token });
        keys.delete(text);
        return result;
      } catch (error) {
        if (error instanceof Refusal) keys.delete(text);
        throw error;
      }
    },
    [tokenOf],
  );
}
