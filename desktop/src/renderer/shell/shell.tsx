import { type ReactNode, useEffect, useRef } from 'react';
import { FollowAlerts } from '../alerts/follow-alerts.tsx';
import { bridge } from '../bridge/bridge.ts';
import { useProfiles } from '../bridge/profiles.tsx';
import { Keyboard } from '../keyboard/keyboard.tsx';
import { navigate } from '../navigation/hash-location.ts';
import { useWallMode } from '../navigation/use-wall-mode.ts';
import { Rail } from './rail.tsx';
import classes from './shell.module.css';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { usePageChange } from './use-page-change.ts';
import { WallCorner } from './wall-corner.tsx';

/** What stands around every page: rail, top bar, status bar, and the line in the profile's colour. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { selected } = useProfiles();
  useNotificationClicks();
  const [isWall, toggleWall] = useWallMode();
  const main = useRef<HTMLElement>(null);
  const title = usePageChange(main);
  const colour = selected?.production ? 'var(--production)' : selected?.colour;
  return (
    <div className={classes['shell']} data-wall={isWall} style={{ borderTopColor: colour }}>
      {/* Not a link: the hash is the address of a page here. */}
      <button type="button" className={classes['skip']} onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <FollowAlerts />
      <Keyboard />
      {!isWall && <Rail />}
      {!isWall && <TopBar />}
      <main ref={main} id="main" aria-label={title} tabIndex={-1} className={classes['main']}>
        {children}
      </main>
      {isWall ? <WallCorner onLeave={toggleWall} /> : <StatusBar />}
    </div>
  );
}

/** A click on a native notification opens what it is about. */
function useNotificationClicks(): void {
  useEffect(() => bridge.on('navigate', ({ path }) => navigate(path)), []);
}
