import type { components } from '../../../openapi/types.d.ts';
import type { Draft, Source } from './draft.ts';

export type OcrBody = components['schemas']['OcrRequest'];

/** The body of `POST /v1/ocr` for one engine: only what was set. The document comes last, where it can be as long as it is. */
export function requestBody(draft: Draft, engine: string, source: Source): OcrBody {
  const settings = settingsOf(draft);
  return {
    engine,
    ...(draft.pageCount !== null && { page_count: draft.pageCount }),
    ...(draft.positions && { include: ['words' as const] }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(draft.fallback && { fallback: 'similar' as const }),
    ...(draft.scannedHandling && { scanned_handling: draft.scannedHandling }),
    ...(draft.scannedHandling === 'fallback' && draft.fallbackEngine && { fallback_engine: draft.fallbackEngine }),
    ...(draft.isAsync && { mode: 'async' as const }),
    ...(draft.isAsync && draft.webhookUrl.trim() && { webhook_url: draft.webhookUrl.trim() }),
    input: inputOf(source),
  };
}

function settingsOf({ language, dpi, pageRange, detectTables }: Draft): NonNullable<OcrBody['settings']> {
  return {
    ...(language.trim() && { language: language.trim() }),
    ...(dpi !== null && { dpi }),
    ...(pageRange.trim() && { page_range: pageRange.trim() }),
    ...(detectTables && { detect_tables: true }),
  };
}

/** The document as a body has it. */
export function inputOf(source: Source): OcrBody['input'] {
  if (source.kind === 'url') return { type: 'url', url: source.url };
  return { type: 'base64', ...(source.type && { mime_type: source.type }), data_base64: source.base64 };
}
