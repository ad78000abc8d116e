import type { Caller } from '../../accounts/callers/caller.ts';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { isPastRetention } from '../model/retained-until.ts';
import type { RequestLookup } from '../store/find.ts';
import { withoutTexts } from './hidden-texts.ts';
import type { ShownText } from './selected-fields.ts';

/** What is shown of a result. */
interface Wanted {
  readonly text: ShownText;
}

/** Reads saved results. */
export class Results {
  readonly #lookup: RequestLookup;

  constructor(lookup: RequestLookup) {
    this.#lookup = lookup;
  }

  /**
   * A request of the caller's account: 404 for any other, 410 for a finished one that was not retained. Of a text that is large
   * so much is read as is `wanted`.
   */
  async read(caller: Caller, id: string, wanted: Wanted): Promise<OcrRequest> {
    const request = await this.outcome(caller, id, wanted);
    if (request.isFinished && !(caller.history && request.textRetained)) {
      throw new AppError('result_not_retained', whyNotRetained(request, caller));
    }
    return request;
  }

  /** The same without 410: what was not retained has no text, which may still wait for its caller, and everything else. */
  async outcome(caller: Caller, id: string, { text }: Wanted): Promise<OcrRequest> {
    const request = isId('ocr_', id) ? await this.#lookup.withoutLargeText(id) : null;
    const isOwn = request !== null && request.accountId === caller.accountId;
    const isUnkept = isOwn && request.isFinished && !request.textRetained;
    if (isUnkept) return Object.assign(withoutTexts(request), { largeTextBytes: null });
    const found = isOwn ? await this.#withText(request, text) : null;
    if (!found) throw new AppError('not_found', 'There is no such request in your account.');
    return found;
  }

  async #withText(request: OcrRequest, text: ShownText): Promise<OcrRequest | null> {
    if (text === 'none') return request;
    return text === 'whole' ? this.#lookup.withText(request) : this.#lookup.withBeginning(request);
  }
}

function whyNotRetained(request: OcrRequest, caller: Caller): string {
  if (request.discard) return 'The result was deleted, or was not to be kept.';
  if (isPastRetention(request, caller)) {
    return `The result was kept for ${caller.textDays === 1 ? 'a day' : `${caller.textDays} days`} after its end, and no longer.`;
  }
  return 'The result was not retained: OCR history is or was off.';
}
