import type { OcrResult } from './send-document.ts';

/** What the engine wrote; of a partial result what there is of it. */
export function textOf({ extracted_text, extracted_text_preview }: OcrResult): string {
  return extracted_text ?? extracted_text_preview ?? '';
}

/** Without Markdown's signs, where the engine writes them. */
export function plainTextOf(result: OcrResult): string {
  return result.extracted_text_plain ?? textOf(result);
}
