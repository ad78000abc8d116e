import classes from './left-out.module.css';

/** What an address asks for and a page does not understand: nobody is to take what is shown for that. */
export function LeftOut({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <p role="alert" className={classes['leftOut']}>
      Not understood in the address, and left out: {words.join(', ')}.
    </p>
  );
}
