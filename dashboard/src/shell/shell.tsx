import { Burger } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '../kit/brand.tsx';
import { Connection } from './connection.tsx';
import { LowBalanceNotice } from './low-balance-notice.tsx';
import { Navigation } from './navigation.tsx';
import { NavigationFoot } from './navigation-foot.tsx';
import classes from './shell.module.css';
import { useMenu } from './use-menu.ts';

/** Navigation beside the page; on narrow screens behind a button above it. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { isOpen, open, close, opener, closer } = useMenu();
  return (
    <>
      <button type="button" className={classes['skip']} onClick={focusMain}>
        Skip to the page
      </button>
      <header className={classes['bar']} inert={isOpen}>
        <Burger ref={opener} opened={isOpen} onClick={open} size="sm" aria-label="Pages" aria-expanded={isOpen} />
        <Brand />
      </header>
      <aside className={classes['navbar']} data-open={isOpen || undefined} aria-label="Navigation">
        <div className={classes['navbarHead']}>
          <Brand />
          <Burger ref={closer} opened={isOpen} onClick={close} size="sm" aria-label="Close" />
        </div>
        <Navigation onLeave={close} />
        <NavigationFoot />
      </aside>
      <main id="main" tabIndex={-1} className={classes['main']} inert={isOpen}>
        <Connection />
        <LowBalanceNotice />
        {children}
      </main>
    </>
  );
}

function focusMain(): void {
  document.getElementById('main')?.focus();
}
