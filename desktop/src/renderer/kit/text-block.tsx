import classes from './kit.module.css';

interface TextBlockProps {
  /** What the text is, for those who do not see where it stands. */
  readonly label: string;
  readonly children: string;
}

/** A text as it is, in a place of its own that scrolls. */
export function TextBlock({ label, children }: TextBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={classes['textPlace']} tabIndex={0} aria-label={label}>
      <pre className={`${classes['text']} kit-any-direction`}>{children}</pre>
    </section>
  );
}
