import { Tooltip } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { Icon } from '../kit/icon.tsx';
import { PAGES } from '../pages.ts';
import classes from './shell.module.css';

/** The pages as signs, 48 px wide; each with its name and its shortcut. */
export function Rail() {
  const [path] = useLocation();
  return (
    <nav className={classes['rail']} aria-label="Pages">
      {PAGES.map(({ home, name, icon, shortcut }) => {
        const current = home === '/' ? path === '/' : path.startsWith(home);
        return (
          <Tooltip key={home} label={`${name}  (g ${shortcut})`} position="right">
            <Link
              href={home}
              aria-label={name}
              aria-current={current ? 'page' : undefined}
              className={classes['railItem']}
            >
              <Icon name={icon} />
            </Link>
          </Tooltip>
        );
      })}
    </nav>
  );
}
