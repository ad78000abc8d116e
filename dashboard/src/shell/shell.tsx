import { AppShell, Burger, Group } from '@mantine/core';
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
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <AppShell.Header hiddenFrom="sm" className={classes['bar']}>
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Pages" aria-expanded={isOpen} />
        <Brand />
      </AppShell.Header>
      <AppShell.Navbar className={classes['navbar']}>
        <Group justify="space-between" className={classes['navbarHead']}>
          <Brand />
          <Burger opened={isOpen} onClick={close} size="sm" hiddenFrom="sm" aria-label="Close" />
        </Group>
        <Navigation onLeave={close} />
        <NavigationFoot />
      </AppShell.Navbar>
      <AppShell.Main>
        <Connection />
        <LowBalanceNotice />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
