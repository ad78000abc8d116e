import { expect, it } from 'vitest';
import { type AlertChange, noticeOf } from './notice.ts';

function change(title: string, state: AlertChange['state'] = 'firing'): AlertChange {
  const ended = state === 'recovered' ? '2026-11-20T00:10:00.000Z' : null;
  return {
    ...{ id: title, kind: 'engine_down', state, engineId: 'a', title, detail: 'why', figure: null, threshold: null },
    beganAt: '2026-11-20T00:00:00.000Z',
    endedAt: ended,
  };
}

it('tells one alert in its own words', () => {
  expect(noticeOf([change('A is down')])).toEqual({ title: 'A is down', text: 'why' });
  expect(noticeOf([change('A is down', 'recovered')])).toEqual({ title: 'Recovered: A is down', text: '' });
});

it('counts several, what fires before what recovered', () => {
  expect(noticeOf([change('A', 'recovered'), change('B'), change('C')])).toEqual({
    title: '2 alerts, 1 recovery',
    text: 'B: why\nC: why\nRecovered: A',
  });
});

it('says how severe what fires is, the worst first; without a word where it is critical, or nothing is said', () => {
  const changes = [
    { ...change('A', 'recovered'), severity: 'warning' as const },
    { ...change('B'), severity: 'info' as const },
    { ...change('C'), severity: 'warning' as const },
    { ...change('D'), severity: 'critical' as const },
    change('E'),
  ];
  expect(noticeOf(changes).text.split('\n')).toEqual([
    'D: why',
    'E: why',
    'Warning: C: why',
    'Info: B: why',
    'Recovered: A',
  ]);
  expect(noticeOf([{ ...change('A'), severity: 'warning' }]).title).toBe('Warning: A');
});

it('lists twenty of a storm, and counts the others', () => {
  const { title, text } = noticeOf(
    Array.from({ length: 30 }, (_, nth) => change(`E${nth}`)),
    5,
  );
  expect(title).toBe('30 alerts');
  expect(text.split('\n')).toHaveLength(21);
  expect(text).toMatch(/and 15 more$/);
});

it('says why an alert ended that is no longer watched, and calls it no recovery', () => {
  const left = {
    ...change('A is down', 'recovered'),
    endedBy: 'rule_removed' as const,
    detail: 'Its rule was removed.',
  };
  expect(noticeOf([left])).toEqual({ title: 'No longer watched: A is down', text: 'Its rule was removed.' });
  expect(noticeOf([left, change('B'), change('C', 'recovered')])).toEqual({
    title: '1 alert, 1 recovery, 1 no longer watched',
    text: 'B: why\nRecovered: C\nNo longer watched: A is down: Its rule was removed.',
  });
});
