import type { Caller } from '../../accounts/callers/caller.ts';
import { AppError } from '../../platform/errors.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestLookup } from '../store/find.ts';

const REQUEST_ID = /^ocr_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Reads saved results. */
export class Results {
  readonly #lookup: RequestLookup;

  constructor(lookup: RequestLookup) {
    this.#lookup = lookup;
  }

  /** A request of the caller's account: 404 for any other, 410 for a finished one that was not retained. */
  async read(caller: Caller, id: string): Promise<OcrRequest> {
    const request = await this.outcome(caller, id);
    if (request.isFinished && !(caller.history && request.textRetained)) {
      const why = request.discard
        ? 'The result was deleted, or was not to be kept.'
        : 'The result was not retained: OCR history is or was off.';
      throw new AppError('result_not_retained', why);
    }
    return request;
  }

  /** The same without 410: what was not retained has no text, and everything else. */
  async outcome(caller: Caller, id: string): Promise<OcrRequest> {
    const request = REQUEST_ID.test(id) ? await this.#lookup.byId(id) : null;
    if (!request || request.accountId !== caller.accountId) {
      throw new AppError('not_found', 'There is no such request in your account.');
    }
    return request;
  }
}
