import { isOperator, readsTexts } from '../../accounts/callers/account-scope.ts';
import { type Caller, requireScope } from '../../accounts/callers/caller.ts';
import type { Scope } from '../../accounts/model/scopes.ts';
import { AppError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestLookup } from '../store/find.ts';
import { toOthers, withoutTexts } from './hidden-texts.ts';

/** One request as its account and operators may look at it: without 410, and without text that is not theirs to read. */
export class RequestView {
  readonly #lookup: RequestLookup;

  constructor(lookup: RequestLookup) {
    this.#lookup = lookup;
  }

  /** For an operator, or for a caller with this scope; texts are shown to those who may read. */
  async read(caller: Caller | null, id: string, scope: Scope = 'ocr:read'): Promise<OcrRequest> {
    const known = isOperator(caller) && caller ? caller : requireScope(caller, scope);
    const request = isId('ocr_', id) ? await this.#lookup.byId(id) : null;
    const isOwn = request?.accountId === known.accountId;
    if (!request || !(isOwn || isOperator(known))) {
      const where = isOperator(known) ? '' : ' in your account';
      throw new AppError('not_found', `There is no such request${where}.`);
    }
    if (!isOwn) return toOthers(request);
    const mayReadText = readsTexts(known, request.accountId) && known.history && request.textRetained;
    return mayReadText ? request : withoutTexts(request);
  }
}
