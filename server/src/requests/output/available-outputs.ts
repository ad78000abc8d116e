import type { OcrRequest } from '../model/ocr-request.ts';
import { isRead } from '../model/states.ts';
import { Output } from './output.type.ts';
import { FileFormat, needsPositions } from './output-format.ts';
import type { ReadFacts } from './read-pages.ts';

/** What can be made of a request, and why not the rest. */
export function availableOutputs(request: OcrRequest, facts: ReadFacts | undefined): Output[] {
  return Object.values(FileFormat).map((format) => {
    const { available, reason } = judged(request, facts, format);
    const url = `/v1/ocr/${request.id}/output?format=${format}`;
    return Object.assign(new Output(), { format, available, reason, url });
  });
}

function judged(
  { isFinished, status, textRetained }: OcrRequest,
  facts: ReadFacts | undefined,
  format: FileFormat,
): Pick<Output, 'available' | 'reason'> {
  const not = (reason: string) => ({ available: false, reason });
  if (!isFinished) return not('The request has not ended.');
  if (!isRead(status)) return not('The request ended without text.');
  if (!textRetained) return not('The result was not retained.');
  if (needsPositions(format) && facts?.hasText && !facts.hasLines) return not('No positions of the text are known.');
  if (format === 'pdf') return not('The document is not kept: send it to `url` with POST.');
  return { available: true, reason: null };
}
