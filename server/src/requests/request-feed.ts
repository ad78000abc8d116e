import type { Caller } from '../accounts/caller.ts';
import type { News, RequestNews } from '../dispatch/news.ts';
import { newsOf } from './news-of.ts';
import type { RequestView } from './request-view.ts';

declare module '../accounts/context.ts' {
  interface Context {
    /** On a socket: what happens to requests, as it happens. */
    readonly requestFeed?: RequestFeed;
  }
}

/** What subscriptions to requests read. */
export class RequestFeed {
  readonly #news: News;
  readonly #view: RequestView;

  constructor(news: News, view: RequestView) {
    this.#news = news;
    this.#view = view;
  }

  /** Of one account; of all for null. */
  ofAccount(accountId: string | null): AsyncIterableIterator<RequestNews> {
    return this.#news.watch(accountId);
  }

  /** Begins with how the request is now. Throws 404 for one that the caller may not see. */
  async ofRequest(caller: Caller | null, id: string): Promise<AsyncIterableIterator<RequestNews>> {
    const { accountId } = await this.#view.read(caller, id);
    const stream = this.#news.watch(accountId, id);
    stream.push(newsOf(await this.#view.read(caller, id)));
    return stream;
  }
}
