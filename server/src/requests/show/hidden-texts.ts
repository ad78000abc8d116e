import { readsTexts } from '../../accounts/callers/account-scope.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import { OcrRequest } from '../model/ocr-request.ts';
import type { AppliedSettings, ResultMetadata } from '../model/result-metadata.type.ts';

const hidden = { text: null, preview: null, hidesText: true };

/** A request as somebody sees it who may not read its texts. */
export function withoutTexts(request: OcrRequest): OcrRequest {
  return Object.assign(new OcrRequest(), request, { ...hidden, metadata: withoutRepeat(request.metadata) });
}

/** A request of an account as operators of others see it: what was handed to the engine itself may be that account's alone. */
export function toOthers(request: OcrRequest): OcrRequest {
  return Object.assign(withoutTexts(request), { appliedSettings: withoutValues(request.appliedSettings) });
}

/** A request of a list, as this caller sees it there: without a piece of its text, too. */
export function listedTo(caller: Caller | null): (request: OcrRequest) => OcrRequest {
  return (request) => {
    if (caller?.accountId !== request.accountId) return toOthers(request);
    return readsTexts(caller, request.accountId)
      ? Object.assign(request, { metadata: withoutRepeat(request.metadata) })
      : withoutTexts(request);
  };
}

/** The names of the engine's own parameters stay, as in the request as it was understood. */
function withoutValues(applied: AppliedSettings | null): AppliedSettings | null {
  if (!applied?.native) return applied;
  return { ...applied, native: Object.fromEntries(Object.keys(applied.native).map((name) => [name, null])) };
}

/** The block that repeats is a piece of the text; of how many lines it is stays. */
function withoutRepeat(metadata: ResultMetadata | null): ResultMetadata | null {
  if (!metadata?.possibleDuplicate) return metadata;
  return { ...metadata, possibleDuplicate: { ...metadata.possibleDuplicate, text: '' } };
}
