import type { Client } from 'urql';
import { RequestChangedDocument, RunProgressDocument } from '../documents.generated.ts';

export interface Progress {
  readonly status: string;
  readonly pagesDone: number;
  readonly pagesTotal: number;
}

const RUNNING = ['queued', 'processing'];

/** Follows a request by subscription until it has ended. Ends early when the signal says so. */
export function followRequest(
  client: Client,
  id: string,
  { onProgress, signal }: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    const subscription = client.subscription(RequestChangedDocument, { id }).subscribe(({ data }) => {
      if (!data) return; // the socket tries again by itself, and begins with how the request is then
      const { status } = data.requestChanged;
      if (!RUNNING.includes(status)) return end();
      void pagesOf(client, id).then((pages) => signal.aborted || onProgress({ status, ...pages }));
    });
    const end = (): void => {
      signal.removeEventListener('abort', end);
      // The first event may come before `subscribe` has returned.
      queueMicrotask(() => subscription.unsubscribe());
      resolve();
    };
    signal.addEventListener('abort', end);
  });
}

/** Pages of a large job that are read; other requests have none to tell of. */
async function pagesOf(client: Client, id: string): Promise<{ pagesDone: number; pagesTotal: number }> {
  const { data } = await client.query(RunProgressDocument, { id }, { requestPolicy: 'network-only' });
  const job = data?.request.job;
  return { pagesDone: job?.pagesDone ?? 0, pagesTotal: job?.pagesTotal ?? 0 };
}
