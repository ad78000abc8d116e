import { useEffect, useState } from 'react';
import { bridge } from '../bridge/bridge.ts';
import { Icon } from '../frame/icon.tsx';
import classes from './panel.module.css';

interface CopyMarkProps {
  readonly text: string;
  /** What is copied, as in `Copy the request id`. */
  readonly what: string;
}

const TOLD_MS = 1500;

/** Copies from a row of a table: as bare as it can be, because a list makes and drops hundreds while it scrolls. */
export function CopyMark({ text, what }: CopyMarkProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const words = copied ? 'Copied' : `Copy the ${what}`;
  const copy = (): void => void bridge.invoke('clipboard.write', { text }).then(() => setCopied(true));
  return (
    <button
      type="button"
      className={classes['copyMark']}
      data-copied={copied}
      title={words}
      aria-label={words}
      tabIndex={-1}
      onClick={copy}
    >
      {copied && <Icon name="check" sizePx={14} />}
    </button>
  );
}
