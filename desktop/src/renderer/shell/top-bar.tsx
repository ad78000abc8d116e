import { SegmentedControl } from '@mantine/core';
import { TIME_RANGES, useTimeRange } from '../navigation/time-range.ts';
import { ConnectionPill } from './connection-pill.tsx';
import { ProfileSwitcher } from './profile-switcher.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import classes from './shell.module.css';

const RANGE_CHOICES = TIME_RANGES.map(({ id, label }) => ({ value: id, label }));

/** Which gateway, which time, and whether it answers. */
export function TopBar() {
  const [range, setRange] = useTimeRange();
  return (
    <header className={classes['topBar']}>
      <ProfileSwitcher />
      <div className={classes['topBarEnd']}>
        <SegmentedControl aria-label="Time range" data={RANGE_CHOICES} value={range.id} onChange={setRange} />
        <SchemeSwitch />
        <ConnectionPill />
      </div>
    </header>
  );
}
