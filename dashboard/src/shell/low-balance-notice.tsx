import { money } from '@ocr-router/ui/format/money.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Link } from 'wouter';
import { MeDocument } from '../documents.generated.ts';
import classes from './shell.module.css';

/** Says on every page that less is left than the owner wanted. */
export function LowBalanceNotice() {
  const { data } = useQuery(MeDocument, {});
  const balance = data?.account.balance;
  if (!balance?.isLow) return null;
  return (
    <p role="status" className={classes['notice']}>
      Your balance of {money(balance.available)} is below {money(balance.lowThreshold)}. Requests that it does not cover
      are refused. <Link href="/usage">Usage and balance</Link>
    </p>
  );
}
