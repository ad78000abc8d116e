import type { Documents } from '../../../documents/documents.ts';
import type { PlacedWords, TextPage } from '../../../documents/formats/document.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Adapter, AdapterType } from '../../model/adapter-type.ts';
import type { EngineInput, EngineSettings, PageReading, Reading } from '../../model/engine.ts';
import type { PageLayout } from '../../model/page-layout.ts';
import { unread } from '../../model/reading.ts';

/** Reads the text layer of a PDF, page by page, and tells which pages are scans instead. */
export const pdfText: AdapterType = {
  name: 'pdf-text',
  local: true,
  readsTextLayer: true,
  languageFamily: 'three-letter',
  native: { passes: [], reserved: [], sendsNone: true },
  needs: [],
  open: (_engine, { documents }) => new TextLayer(documents),
};

class TextLayer implements Adapter {
  readonly #documents: Pick<Documents, 'text'>;

  constructor(documents: Pick<Documents, 'text'>) {
    this.#documents = documents;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    if (input.kind !== 'document' || input.format !== 'pdf') {
      const message = 'This engine reads the text of PDFs only; a picture needs an engine that recognises text.';
      return unread({ ending: { kind: 'failed', message, temporary: false, httpStatus: null }, billed: 'no' });
    }
    try {
      const client = { signal, party: input.party, ...(settings.positions && { positions: true }) };
      const pages = await this.#documents.text(input.bytes, input.pages, client);
      return unread({ ending: { kind: 'ok' }, pages: pages.map(readPage), billed: 'no' });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable_entity') throw error;
      return unread({ ending: { kind: 'unreadable', message: error.message }, billed: 'no' });
    }
  }
}

function readPage({ number, text, kind, reason, size, words }: TextPage): PageReading {
  const page = { number, confidence: null, source: 'text_layer', ...(size && { size }) } as const;
  if (kind === 'scanned')
    return { ...page, text: '', scanned: { reason: reason ?? 'the page has no text of its own' } };
  return { ...page, text: kind === 'text' ? text : '', ...(words && { layout: layoutOf(words) }) };
}

/** The layout of a text layer, whose words have their places on the page as it is shown, and are packed already. */
function layoutOf({ page }: PlacedWords): PageLayout {
  return { width: 1, height: 1, granularity: 'word', lines: [], packed: page };
}
