import { CopyButton } from './copy-button.tsx';
import classes from './kit.module.css';

/** Something to be copied now, because it is not shown again. */
export function SecretText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={classes['secret']}>
      <output className={classes['secretText']} aria-label={label}>
        {text}
      </output>
      <CopyButton text={text} variant="filled" size="sm" />
    </div>
  );
}
