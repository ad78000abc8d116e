import { useCopy } from '@ocr-router/ui/kit/use-copy.ts';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import classes from './kit.module.css';

interface CopyMarkProps {
  readonly text: string;
  /** What is copied, as in `Copy the request id`. */
  readonly what: string;
}

/** Copies from a row of a table: as bare as it can be, because a list makes and drops hundreds while it scrolls. */
export function CopyMark({ text, what }: CopyMarkProps) {
  const { ended, copy } = useCopy(text, copyText);
  const copied = ended === 'copied';
  const words = copied ? 'Copied' : `Copy the ${what}`;
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
