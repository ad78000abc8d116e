import type { Documents } from '../../../documents/documents.ts';
import type { PlacedWords, TextPage } from '../../../documents/formats/document.ts';
import { placedLines, wordCount } from '../../../documents/pdf/placed-words.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Adapter, AdapterType } from '../../model/adapter-type.ts';
import type { EngineInput, EngineSettings, PageReading, Reading } from '../../model/engine.ts';
import type { PageLayout } from '../../model/page-layout.ts';
import { unread } from '../../model/reading.ts';

/** Reads the text that a PDF carries, page by page, and says of each page whether it is a scan instead. */
export const pdfText: AdapterType = {
  name: 'pdf-text',
  local: true,
  readsTextLayer: true,
  languageFamily: 'three-letter',
  native: { passes: [], reserved: [] },
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
  return { ...page, text: kind === 'text' ? text : '', ...(words && { layout: new TextLayerLayout(words) }) };
}

/**
 * Lines of a text layer, which come in fractions of the page as it is shown. Their objects are made when they are looked at:
 * those of a long document, all at once, cost more time than reading it.
 */
class TextLayerLayout implements PageLayout {
  readonly width = 1;
  readonly height = 1;
  readonly granularity = 'word';
  readonly #words: PlacedWords;

  constructor(words: PlacedWords) {
    this.#words = words;
  }

  get wordCount(): number {
    return wordCount(this.#words);
  }

  get lines(): PageLayout['lines'] {
    return placedLines(this.#words);
  }
}
