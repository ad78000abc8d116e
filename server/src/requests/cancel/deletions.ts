import type { Caller } from '../../accounts/callers/caller.ts';
import { throughOutage } from '../../database/outage.ts';
import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestView } from '../show/request-view.ts';
import { forgetRequest } from '../store/forget.ts';
import type { Cancellations } from './cancellations.ts';

/** How long a call waits for rows that another session has locked, a clean-up of many requests for instance. */
const PATIENCE_MS = 8000;

/** From now on none of its texts are stored: the settlement's statement reads the mark. */
const DISCARD = {
  name: 'request-discard',
  text: 'update ocr_request set discard = true where id = $1 and not discard',
};

export interface DeletionsDeps {
  readonly pool: Pool;
  readonly view: RequestView;
  readonly cancellations: Cancellations;
}

/** Deletes what requests read and how they were asked for; what they cost stays. */
export class Deletions {
  readonly #deps: DeletionsDeps;

  constructor(deps: DeletionsDeps) {
    this.#deps = deps;
  }

  /**
   * Answers what is left of the request. A request at work is cancelled and will keep nothing; the answer is how it was then.
   * Throws `not_found` for a request of another account.
   */
  async delete(caller: Caller | null, id: string): Promise<OcrRequest> {
    const { pool, view, cancellations } = this.#deps;
    const request = await view.read(caller, id, 'ocr:write');
    if (request.accountId !== caller?.accountId || !caller.scopes.includes('ocr:write')) {
      throw new AppError('not_found', 'There is no such request in your account.');
    }
    if (request.deletedAt) return request;
    await query(pool, DISCARD, [id]);
    const atWork = request.isFinished ? null : await cancellations.stop(id, 0);
    await throughOutage(() => forgetRequest(pool, id), { limitMs: PATIENCE_MS });
    return atWork ?? view.read(caller, id, 'ocr:write');
  }
}
