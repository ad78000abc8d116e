import { type ComponentType, lazy } from 'react';

/** A page whose code comes when it is first needed; once it is here, it is drawn without a turn of its own. */
export interface FetchedPage {
  readonly Page: ComponentType;
  /** Resolves when its code is here. */
  readonly fetch: () => Promise<unknown>;
}

/** React's own `lazy` shows what stands in for a page at least once, even where its code is here already. */
export function fetchedPage(load: () => Promise<{ default: ComponentType }>): FetchedPage {
  let Known: ComponentType | null = null;
  const fetch = async () => {
    const module = await load();
    Known = module.default;
    return module;
  };
  const Later = lazy(fetch);
  return { Page: () => (Known ? <Known /> : <Later />), fetch };
}
