import type { Documents } from '../../documents/documents.ts';
import type { Inspection } from '../../documents/formats/document.ts';
import type { DocumentClient } from '../../documents/limits/document-client.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { unreadFormat } from '../../engines/model/takes.ts';
import { AppError } from '../../platform/errors.ts';
import type { Effective } from '../model/effective.ts';

/** A document whose bytes are here and were found readable. */
export interface OpenDocument {
  readonly bytes: Buffer;
  readonly inspection: Inspection;
}

/**
 * Judges a document for a request: readable at all, and of a kind that the engine takes. Throws
 * `unprocessable_entity` with a plain reason.
 */
export async function openDocument(
  documents: Documents,
  bytes: Buffer,
  context: { effective: Effective; engine: Engine; client: DocumentClient },
): Promise<OpenDocument> {
  const { effective, engine, client } = context;
  const inspection = await documents.inspect(bytes, client);
  const { format } = inspection;
  if (format === 'pdf' && effective.url !== null && !engine.nativePdf && !hasPdfPath(effective.url)) {
    throw new AppError(
      'unprocessable_entity',
      `The URL answered with a PDF, but engine "${engine.id}" takes a URL for a PDF only when its path ends in .pdf. ` +
        'Send the document as base64, or use a URL that ends in .pdf.',
    );
  }
  const unread = unreadFormat(engine, format);
  if (unread) throw new AppError('unprocessable_entity', unread);
  return {
    bytes,
    inspection: { ...inspection, warnings: [...inspection.warnings, ...hintWarnings(effective, format)] },
  };
}

function hasPdfPath(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.toLowerCase().endsWith('.pdf');
}

/** A wrong hint changes nothing but is worth a word. */
function hintWarnings({ mimeType }: Effective, format: string): string[] {
  if (!mimeType) return [];
  const hinted = mimeType.toLowerCase().split(';')[0]?.trim().split('/')[1] ?? '';
  const known = hinted
    .replace(/^x-/, '')
    .replace(/^(ms-)?bmp$/, 'bmp')
    .replace(/^jpg$|^pjpeg$/, 'jpeg')
    .replace(/^tif$/, 'tiff');
  if (known === format || hinted === 'octet-stream') return [];
  return [`input.mime_type says ${mimeType.slice(0, 100)}, but the document is ${format}; it was read by its content.`];
}
