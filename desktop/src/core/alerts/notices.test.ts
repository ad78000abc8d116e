import { expect, it, vi } from 'vitest';
import type { Alert, AlertNotice } from '../../shared/alerts.ts';
import { Notices, noticeOf } from './notices.ts';

function alert(title: string, state: Alert['state'] = 'firing', severity: Alert['severity'] = 'critical'): Alert {
  return { id: title, ruleId: title, state, severity, title, detail: 'why', path: '/engines/a' };
}

it('tells one alert in its own words', () => {
  expect(noticeOf([alert('A is down')])).toMatchObject({ title: 'A is down', body: 'why', path: '/engines/a' });
  expect(noticeOf([alert('A is down', 'recovered')])).toMatchObject({ title: 'Recovered: A is down', body: '' });
});

it('calls nothing recovered that is no longer watched, and says why', () => {
  const left = { ...alert('A is down', 'left'), detail: 'Its rule was removed.' };
  expect(noticeOf([left])).toMatchObject({ title: 'No longer watched: A is down', body: 'Its rule was removed.' });
  expect(noticeOf([left, alert('B', 'recovered'), alert('C')])).toMatchObject({
    title: '1 alert, 1 recovery, 1 no longer watched',
    body: 'C\nRecovered: B\nNo longer watched: A is down',
  });
});

it('counts several, what fires before what recovered', () => {
  expect(noticeOf([alert('A', 'recovered'), alert('B'), alert('C')])).toMatchObject({
    title: '2 alerts, 1 recovery',
    body: 'B\nC\nRecovered: A',
    path: '/alerts',
  });
});

it('says how severe an alert is, the most severe first', () => {
  expect(noticeOf([alert('A', 'firing', 'warning')]).title).toBe('Warning: A');
  const mixed = [
    alert('A', 'firing', 'info'),
    alert('B', 'recovered', 'info'),
    alert('C'),
    alert('D', 'firing', 'warning'),
  ];
  expect(noticeOf(mixed).body).toBe('C\nWarning: D\nInfo: A\nRecovered: B');
});

it('tells the first at once and what follows within the minute together', () => {
  vi.useFakeTimers();
  try {
    const told: AlertNotice[] = [];
    using notices = new Notices((notice) => told.push(notice));
    notices.add([alert('A')]);
    notices.add([alert('B')]);
    notices.add([alert('C')]);
    expect(told.map(({ title }) => title)).toEqual(['A']);
    vi.advanceTimersByTime(60_000);
    expect(told.map(({ title }) => title)).toEqual(['A', '2 alerts']);
    vi.advanceTimersByTime(60_000);
    notices.add([alert('D')]);
    expect(told.map(({ title }) => title)).toEqual(['A', '2 alerts', 'D']);
  } finally {
    vi.useRealTimers();
  }
});
