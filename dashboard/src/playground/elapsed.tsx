import { duration } from '@ocr-router/ui/format/duration.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';

const STEP_MS = 500;

/** Seconds since something began, counting. Not read out: a live region would never be silent. */
export function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const nowMs = useNow(STEP_MS);
  const wholeSeconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
  return (
    <span aria-hidden className="kit-soft">
      {duration(wholeSeconds * 1000)
        .replace('.0 s', ' s')
        .replace('0 ms', '0 s')}
    </span>
  );
}
