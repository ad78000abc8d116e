import { useEffect, useState } from 'react';
import { refusalText } from '../http/refusal.ts';
import { useSessionToken } from '../session/use-session-token.ts';
import { type Estimate, estimateDocument } from './estimate-document.ts';
import type { OcrBody } from './request-body.ts';

/** Whoever types or chooses again within it has the document sent once. */
const PAUSE_MS = 400;

export type Estimating =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly estimate: Estimate }
  | { readonly kind: 'failed'; readonly message: string };

const ASKING: Estimating = { kind: 'asking' };

/** What the service says that a request would cost. Keep `body` in a memo: another one is asked about anew. */
export function useEstimate(body: OcrBody): Estimating {
  const tokenOf = useSessionToken();
  const [state, setState] = useState<Estimating>(ASKING);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const ask = async (): Promise<Estimating> => {
      try {
        return { kind: 'known', estimate: await estimateDocument(body, await tokenOf(), signal) };
      } catch (error) {
        return { kind: 'failed', message: refusalText(error) };
      }
    };
    setState(ASKING);
    const timer = setTimeout(() => void ask().then((answer) => signal.aborted || setState(answer)), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body, tokenOf]);
  return state;
}
