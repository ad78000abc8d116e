import type { Config } from '../platform/config.ts';
import { Documents } from './documents.ts';
import { DocumentFetcher } from './fetch.ts';
import { OutputThreads } from './output/output-threads.ts';
import { SearchablePdfs } from './output/searchable-pdf.ts';

/** Largest page that is handed to an engine, in pixels. */
const SENT_PIXELS = 40e6;
const MOST_PAGES = 5000;
/** Memory of a thread that works on a PDF. */
const THREAD_MEMORY_MB = 512;
/** Most searchable PDFs that are made at once: each holds the document several times over. */
const OUTPUTS_AT_ONCE = 2;

export interface OpenedDocuments extends AsyncDisposable {
  readonly documents: Documents;
  readonly fetcher: DocumentFetcher;
  readonly searchablePdfs: SearchablePdfs;
}

/** Opens what reads documents, fetches them, and makes searchable PDFs. */
export function openDocuments(config: Config): OpenedDocuments {
  const stack = new AsyncDisposableStack();
  const documents = stack.use(
    new Documents({
      threads: config.cores,
      maxPixels: config.maxPagePixels,
      maxSentPixels: SENT_PIXELS,
      maxPages: MOST_PAGES,
      maxDocumentBytes: config.maxDocumentBytes,
      pdfTimeoutMs: config.pdfTimeoutMs,
      memoryMb: THREAD_MEMORY_MB,
      decodingBytes: config.maxMemoryBytes / 4,
    }),
  );
  void documents.sweep();
  const fetcher = stack.use(
    new DocumentFetcher({ maxBytes: config.maxDocumentBytes, allowCidrs: config.allowPrivateCidrs }),
  );
  const outputThreads = stack.use(
    new OutputThreads({ threads: OUTPUTS_AT_ONCE, timeoutMs: config.pdfTimeoutMs, memoryMb: THREAD_MEMORY_MB }),
  );
  const searchablePdfs = new SearchablePdfs(documents, outputThreads);
  return { documents, fetcher, searchablePdfs, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
