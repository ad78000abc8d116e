import { SegmentedControl } from '@mantine/core';
import { useLocation, useSearch } from 'wouter';
import { hasOwnTime, TIME_RANGES, useTimeRange } from '../navigation/time-range.ts';
import { followsRange, usualRange } from '../pages.ts';
import { ConnectionPill } from './connection-pill.tsx';
import { ProfileSwitcher } from './profile-switcher.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import classes from './shell.module.css';

const RANGE_CHOICES = TIME_RANGES.map(({ id, label }) => ({ value: id, label }));

/** Which gateway, which time where the page goes by one, and whether the gateway answers. */
export function TopBar() {
  const [path] = useLocation();
  const [range, setRange] = useTimeRange(usualRange(path));
  const search = useSearch();
  return (
    <header className={classes['topBar']}>
      <ProfileSwitcher />
      <div className={classes['topBarEnd']}>
        {followsRange(path, search) && (
          <SegmentedControl
            aria-label="Time range"
            data={RANGE_CHOICES}
            value={hasOwnTime(search) ? '' : range.id}
            onChange={setRange}
          />
        )}
        <SchemeSwitch />
        <ConnectionPill />
      </div>
    </header>
  );
}
