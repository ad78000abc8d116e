import { readsTexts } from '../../accounts/callers/account-scope.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { ResultMetadata } from '../model/result-metadata.type.ts';

const hidden = { text: null, preview: null, hidesText: true };

/** A request as somebody sees it who may not read its texts. */
export function withoutTexts(request: OcrRequest): OcrRequest {
  return Object.assign(new OcrRequest(), request, { ...hidden, metadata: withoutRepeat(request.metadata) });
}

/** A request of a list, as this caller sees it there: without a piece of its text, too. */
export function listedTo(caller: Caller | null): (request: OcrRequest) => OcrRequest {
  return (request) =>
    readsTexts(caller, request.accountId)
      ? Object.assign(request, { metadata: withoutRepeat(request.metadata) })
      : withoutTexts(request);
}

/** The block that repeats is a piece of the text; of how many lines it is stays. */
function withoutRepeat(metadata: ResultMetadata | null): ResultMetadata | null {
  if (!metadata?.possibleDuplicate) return metadata;
  return { ...metadata, possibleDuplicate: { ...metadata.possibleDuplicate, text: '' } };
}
