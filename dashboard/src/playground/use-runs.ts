import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { MeDocument } from '../documents.generated.ts';
import { Refusal, refusalText } from '../http/refusal.ts';
import { useSessionToken } from '../session/use-session-token.ts';
import type { Source } from './draft.ts';
import { followRequest, type Progress } from './follow-request.ts';
import type { OcrBody } from './request-body.ts';
import type { Run } from './run.ts';
import { isNotRetained, type OcrResult, readResult } from './send-document.ts';
import { useSending } from './use-sending.ts';

const NOT_RETAINED = 'It has ended, but its text was not kept: your account has since stopped keeping texts.';
const UNKNOWN =
  'The service did not answer, and it is not known whether it was read. Read it again once it answers: it is the same request then, and charged once.';

/** Sends the same document to one or two engines at once, and tells how each is doing. */
export function useRuns(): {
  readonly runs: readonly Run[];
  readonly send: (bodies: readonly OcrBody[], source: Source) => void;
} {
  const client = useClient();
  const tokenOf = useSessionToken();
  const sendOne = useSending();
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const send = useCallback(
    (bodies: readonly OcrBody[], source: Source) => {
      stop.current.abort();
      const controller = new AbortController();
      stop.current = controller;
      const { signal } = controller;
      const startedAtMs = Date.now();
      setRuns(
        bodies.map(({ engine }) => ({ engine, source, startedAtMs, requestId: null, phase: { kind: 'sending' } })),
      );
      const tell = (index: number, change: Partial<Run>) => {
        if (signal.aborted) return;
        setRuns((old) => old.map((run, place) => (place === index ? { ...run, ...change } : run)));
      };
      bodies.forEach((body, index) => void one(body, (change) => tell(index, change)));

      async function one(body: OcrBody, change: (change: Partial<Run>) => void): Promise<void> {
        const began = performance.now();
        const took = () => performance.now() - began;
        const onProgress = (progress: Progress) => change({ phase: { kind: 'following', ...progress } });
        let isSent = false;
        try {
          const first = await sendOne(body);
          isSent = true;
          change({ requestId: first.request_id });
          const result = await finished(first, onProgress);
          change({ phase: { kind: 'done', result, tookMs: took() } });
        } catch (error) {
          const isUnknown = !isSent && error instanceof TypeError; // as `fetch` fails
          const message = isNotRetained(error) ? NOT_RETAINED : refusalText(error);
          if (!isSent && error instanceof Refusal) change({ requestId: error.requestId });
          change({ phase: { kind: 'failed', message: isUnknown ? UNKNOWN : message, isUnknown, tookMs: took() } });
        }
        // What is left stands on every page.
        void client.query(MeDocument, {}, { requestPolicy: 'network-only' }).toPromise();
      }

      async function finished(first: OcrResult, onProgress: (progress: Progress) => void): Promise<OcrResult> {
        if (first.status !== 'processing' && first.status !== 'queued') return first;
        onProgress({ status: first.status, pagesDone: 0, pagesTotal: 0 });
        await followRequest(client, first.request_id, { onProgress, signal });
        return readResult(first.request_id, await tokenOf());
      }
    },
    [client, tokenOf, sendOne],
  );
  return { runs, send };
}
