import { CopyButton } from './copy-button.tsx';
import classes from './kit.module.css';

interface CodeBlockProps {
  readonly label: string;
  /** What is shown. */
  readonly text: string;
  /** What is copied, where that is more than can be shown. */
  readonly whole?: string;
}

/** Code as text, to read and to take. */
export function CodeBlock({ label, text, whole = text }: CodeBlockProps) {
  return (
    <div className={classes['code']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={`${classes['codeText']} kit-any-direction`} tabIndex={0} aria-label={label}>
        {text}
      </section>
      <CopyButton text={whole} className={classes['codeCopy']} size="compact-xs" />
    </div>
  );
}
