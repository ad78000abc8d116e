import type { Caller } from '../../accounts/callers/caller.ts';
import type { RequestChange, RequestChanges } from '../../platform/messaging/request-changes.ts';
import { changeOf } from '../model/request-change.ts';
import type { RequestView } from './request-view.ts';

declare module '../../accounts/callers/context.ts' {
  interface Context {
    /** On a socket: what happens to requests, as it happens. */
    readonly requestFeed?: RequestFeed;
  }
}

/** What subscriptions to requests read. */
export class RequestFeed {
  readonly #changes: RequestChanges;
  readonly #view: RequestView;

  constructor(changes: RequestChanges, view: RequestView) {
    this.#changes = changes;
    this.#view = view;
  }

  /** Of one account; of all for null. */
  ofAccount(accountId: string | null): AsyncIterableIterator<RequestChange> {
    return this.#changes.subscribe(accountId);
  }

  /** Begins with how the request is now. Throws 404 for one that the caller may not see. */
  async ofRequest(caller: Caller | null, id: string): Promise<AsyncIterableIterator<RequestChange>> {
    const { accountId } = await this.#view.read(caller, id);
    const stream = this.#changes.subscribe(accountId, id);
    stream.push(changeOf(await this.#view.read(caller, id)));
    return stream;
  }
}
