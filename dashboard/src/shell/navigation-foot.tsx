import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { Link } from 'wouter';
import { MeDocument } from '../documents.generated.ts';
import { useAnswer } from '../graphql/use-answer.ts';
import { refusalText } from '../http/refusal.ts';
import { useSession } from '../session/session.ts';
import { SchemeSwitch } from './scheme-switch.tsx';
import classes from './shell.module.css';

/** Whose dashboard it is, what can be spent, and the way out. */
export function NavigationFoot() {
  const [{ data }] = useAnswer({ query: MeDocument });
  const { signOut } = useSession();
  const leave = () =>
    signOut().catch((error: unknown) => notifications.show({ color: 'red', message: refusalText(error) }));
  return (
    <div className={classes['foot']}>
      <Link href="/usage" className={classes['balance']}>
        <span>Available</span>
        <strong>{money(data?.account.balance.available)}</strong>
      </Link>
      <SchemeSwitch />
      <div className={classes['whose']} title={data?.account.email}>
        {data?.account.email}
      </div>
      <Button variant="default" onClick={() => void leave()}>
        Sign out
      </Button>
    </div>
  );
}
