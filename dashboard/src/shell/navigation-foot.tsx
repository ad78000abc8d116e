import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { SchemeChoice } from '@ocr-router/ui/kit/scheme-choice.tsx';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { MeDocument } from '../documents.generated.ts';
import { refusalText } from '../http/refusal.ts';
import { useSession } from '../session/session.ts';
import classes from './shell.module.css';

const SCHEMES: ComponentProps<typeof SchemeChoice>['choices'] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

/** Whose dashboard it is, what can be spent, and the way out. */
export function NavigationFoot() {
  const { data } = useQuery(MeDocument, {});
  const { signOut } = useSession();
  const leave = () =>
    signOut().catch((error: unknown) => notifications.show({ color: 'red', message: refusalText(error) }));
  return (
    <div className={classes['foot']}>
      <Link href="/usage" className={classes['balance']}>
        <span>Available</span>
        <strong>{money(data?.account.balance.available)}</strong>
      </Link>
      <SchemeChoice label="Theme" choices={SCHEMES} fullWidth />
      <div className={classes['whose']} title={data?.account.email}>
        {data?.account.email}
      </div>
      <Button variant="default" onClick={() => void leave()}>
        Sign out
      </Button>
    </div>
  );
}
