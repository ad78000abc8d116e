import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Brand } from '../kit/brand.tsx';
import { Connection } from './connection.tsx';
import { LowBalanceNotice } from './low-balance-notice.tsx';
import { Navigation } from './navigation.tsx';
import { NavigationFoot } from './navigation-foot.tsx';
import classes from './shell.module.css';

/** Navigation beside the page; on narrow screens behind a button above it. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <>
      <header className={classes['bar']}>
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Pages" aria-expanded={isOpen} />
        <Brand />
      </header>
      <aside className={classes['navbar']} data-open={isOpen || undefined} aria-label="Navigation">
        <div className={classes['navbarHead']}>
          <Brand />
          <Burger opened={isOpen} onClick={close} size="sm" aria-label="Close" />
        </div>
        <Navigation onLeave={close} />
        <NavigationFoot />
      </aside>
      <main className={classes['main']}>
        <Connection />
        <LowBalanceNotice />
        {children}
      </main>
    </>
  );
}
