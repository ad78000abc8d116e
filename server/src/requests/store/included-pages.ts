import type { Context } from '../../accounts/callers/context.ts';
import { pageParts } from '../model/include.ts';
import type { OcrPage } from '../model/ocr-page.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { isRead } from '../model/states.ts';
import type { RequestLoaders } from './request-loaders.ts';
import { shownPage } from './shown-page.ts';
import type { StoredPages } from './stored-pages.ts';

/** The pages that a result carries because its request asked for them (`include`). */
export class IncludedPages {
  readonly #loaders: (context: Context) => RequestLoaders;
  readonly #stored: StoredPages;

  constructor(loaders: (context: Context) => RequestLoaders, stored: StoredPages) {
    this.#loaders = loaders;
    this.#stored = stored;
  }

  /** Null where the request did not ask for pages (nothing is looked up then), or has no text. */
  async of(request: OcrRequest, context: Context): Promise<OcrPage[] | null> {
    const { include = [] } = request.effective;
    if (include.length === 0 || request.hidesText) return null;
    if (!isRead(request.status)) return null;
    const pages = request.pageRows ?? (await this.#load(request, context));
    const shown = { parts: pageParts(include), isOwn: context.caller?.accountId === request.accountId };
    return pages?.map((page) => shownPage(page, shown)) ?? null;
  }

  /** The pages of a result that is not retained are handed out once, to the caller who waited for it. */
  async #load(request: OcrRequest, context: Context): Promise<readonly OcrPage[] | null> {
    if (request.textRetained) return this.#loaders(context).pages.load(request.id);
    return request.replayed ? null : this.#stored.passed(request.id);
  }
}
