import { wholeSeconds } from '@ocr-router/ui/format/duration.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';

const STEP_MS = 500;

/** Seconds since something began, counting. Not read out: a live region would never be silent. */
export function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const nowMs = useNow(STEP_MS);
  return (
    <span aria-hidden className="kit-soft">
      {wholeSeconds(Math.max(0, Math.floor((nowMs - sinceMs) / 1000)))}
    </span>
  );
}
