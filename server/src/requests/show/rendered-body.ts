import { lookThrough } from '../../documents/markdown/long-texts.ts';
import type { OcrRequest } from '../model/ocr-request.ts';

/** The body of a successful `text` or `markdown` request; null for JSON, and where there is no text to hand out. */
export function renderedBody(request: OcrRequest): string | null | Promise<string> {
  const text = request.extractedText;
  if (text === null) return null;
  switch (request.effective.outputFormat) {
    case 'json':
      return null;
    case 'text':
      return plain(text, request);
    case 'markdown':
      return `# OCR Result\n**Engine:** ${request.engine}\n**Status:** succeeded\n---\n${text}`;
  }
}

/** The plain-text conversion, where JSON was asked for and it differs from the engine's output. */
export function plainVariant(request: OcrRequest): string | null | Promise<string | null> {
  const text = request.extractedText;
  if (text === null || request.effective.outputFormat !== 'json') return null;
  const variant = plain(text, request);
  const orNull = (found: string) => (found === text ? null : found);
  return typeof variant === 'string' ? orNull(variant) : variant.then(orNull);
}

function plain(text: string, { accountId }: OcrRequest): string | Promise<string> {
  return lookThrough('plain', text, accountId);
}
