import { Link } from 'wouter';
import classes from './page.module.css';

/** The product's sign and name; leads home. */
export function Brand() {
  return (
    <Link href="/" className={classes['brand']}>
      <img src="/static/icon.svg" alt="" width={22} height={22} />
      ocr-router
    </Link>
  );
}
