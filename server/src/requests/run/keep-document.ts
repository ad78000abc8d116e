import type { DocumentStore } from '../../documents/store.ts';
import type { Log } from '../../platform/logging/log.ts';

/** Stores a document that this process has in its memory: the next holder of the lease finds it. Never throws. */
export async function keepDocument(
  { store, log }: { store: DocumentStore; log: Log },
  requestId: string,
  bytes: Buffer,
): Promise<void> {
  try {
    await store.keep(requestId, bytes);
  } catch (error) {
    log.warn({ err: error, requestId }, 'the document could not be stored');
  }
}
