import { count } from '@ocr-router/ui/format/count.ts';
import { drawnMarkdown, MOST_CHARACTERS } from './drawn-markdown.ts';
import classes from './markdown.module.css';

/** Markdown as it is meant to be read. */
export default function RenderedMarkdown({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      {text.length > MOST_CHARACTERS && <p className="kit-soft">The first {count(MOST_CHARACTERS)} characters.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section className={classes['rendered']} tabIndex={0} aria-label={label}>
        {drawnMarkdown(text)}
      </section>
    </>
  );
}
