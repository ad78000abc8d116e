import { useEffect, useState } from 'react';

const SHOWN_MS = 2000;

interface Copying {
  /** For a moment after a try; null before and afterwards. */
  readonly ended: 'copied' | 'failed' | null;
  readonly copy: () => void;
}

/** Puts a text on the clipboard by the face's own way, which answers whether it did, and says so for a moment. */
export function useCopy(text: string, write: (text: string) => Promise<boolean>): Copying {
  const [ended, setEnded] = useState<Copying['ended']>(null);
  useEffect(() => {
    if (ended === null) return;
    const timer = setTimeout(() => setEnded(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [ended]);
  const copy = (): void => {
    write(text).then(
      (isCopied) => setEnded(isCopied ? 'copied' : 'failed'),
      () => setEnded('failed'),
    );
  };
  return { ended, copy };
}
