import { readsTexts } from '../../accounts/callers/account-scope.ts';
import type { Caller } from '../../accounts/callers/caller.ts';
import { OcrRequest } from '../model/ocr-request.ts';

/** A request as somebody sees it who may not read its texts. */
export function withoutTexts(request: OcrRequest): OcrRequest {
  return Object.assign(new OcrRequest(), request, { text: null, preview: null, hidesText: true });
}

/** A request of a list, as this caller sees it there. */
export function listedTo(caller: Caller | null): (request: OcrRequest) => OcrRequest {
  return (request) => (readsTexts(caller, request.accountId) ? request : withoutTexts(request));
}
