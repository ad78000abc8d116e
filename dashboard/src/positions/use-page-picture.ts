import { useEffect, useState } from 'react';
import { refusalText } from '../http/refusal.ts';

/** Draws a page, counted from 1, as a picture that browsers show. */
export type DrawPage = (page: number, signal: AbortSignal) => Promise<Blob>;

export type Picture =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'shown'; readonly url: string };

const NONE: Picture = { kind: 'none' };
const LOADING: Picture = { kind: 'loading' };

/** The picture of a page, as long as it is shown. Keep `draw` in a memo. */
export function usePagePicture(draw: DrawPage | null, page: number): Picture {
  const [picture, setPicture] = useState<Picture>(draw === null ? NONE : LOADING);
  useEffect(() => {
    if (draw === null) {
      setPicture(NONE);
      return;
    }
    const stop = new AbortController();
    let url: string | null = null;
    setPicture(LOADING);
    draw(page, stop.signal).then(
      (blob) => {
        if (stop.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setPicture({ kind: 'shown', url });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setPicture({ kind: 'failed', message: refusalText(error) });
      },
    );
    return () => {
      stop.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [draw, page]);
  return picture;
}
