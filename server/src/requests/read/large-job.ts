import type { Documents } from '../../documents/documents.ts';
import type { DocumentClient } from '../../documents/limits/document-client.ts';
import { isImageOnly } from '../../documents/text-pages.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { newId } from '../../platform/ids.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { OpenDocument } from './open-document.ts';

/** A document of more pages is a job, when it is asynchronous and all pictures. */
const LARGE_PAGES = 20;

/** The id of the job that a request becomes: it is asynchronous, its PDF long, without text, and drawn by us; else null. */
export async function jobIdFor(
  documents: Documents,
  { mode }: Pick<OcrRequest, 'mode'>,
  { document, engine, client }: { document: OpenDocument; engine: Engine; client: DocumentClient },
): Promise<string | null> {
  const { format, pages } = document.inspection;
  if (mode !== 'async' || format !== 'pdf' || engine.nativePdf || pages <= LARGE_PAGES) return null;
  return (await isImageOnly(documents, document.bytes, pages, client)) ? newId('job_') : null;
}
