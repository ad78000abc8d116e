import { AppError } from '../../../platform/errors.ts';
import type { OcrRequestInput } from '../ocr-request.input.ts';
import { MOST_PAGES } from '../page-range.ts';

const LONGEST = { url: 8192, engine: 200, mimeType: 255, language: 100, pageRange: 1000 } as const;
const MOST_HINTS = 50;
const DPI = { lowest: 72, highest: 1200 } as const;

/**
 * The lengths and ranges of the REST contract, for requests that do not come through it. What is kept of a request, and
 * what is remembered by its settings, stays small. Throws `invalid_request` naming the field.
 */
export function requireInputBounds(request: OcrRequestInput): void {
  const { input, options, settings, pageCount } = request;
  requireText('engine', request.engine, LONGEST.engine);
  requireText('fallback_engine', request.fallbackEngine, LONGEST.engine);
  requireText('input.url', input.url, LONGEST.url);
  requireText('webhook_url', request.webhookUrl, LONGEST.url);
  requireText('input.mime_type', input.mimeType, LONGEST.mimeType);
  requireText('settings.language', settings?.language, LONGEST.language);
  requireText('settings.page_range', settings?.pageRange, LONGEST.pageRange);
  const hints = options?.languageHints ?? [];
  if (hints.length > MOST_HINTS) throw refusal(`options.language_hints: has more than ${MOST_HINTS} items.`);
  for (const hint of hints) requireText('options.language_hints', hint, LONGEST.language);
  const dpi = settings?.dpi ?? DPI.lowest;
  if (dpi < DPI.lowest || dpi > DPI.highest) throw refusal(`settings.dpi: must be ${DPI.lowest} to ${DPI.highest}.`);
  if ((pageCount ?? 1) > MOST_PAGES) throw refusal(`page_count: must be at most ${MOST_PAGES}.`);
}

function requireText(field: string, text: string | null | undefined, most: number): void {
  if ((text?.length ?? 0) > most) throw refusal(`${field}: is longer than ${most} characters.`);
}

function refusal(message: string): AppError {
  return new AppError('invalid_request', message);
}
