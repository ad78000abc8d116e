import { describe, expect, it } from 'vitest';
import { countText, filterOf, formatNarrowing, parseNarrowing } from './request-filter.ts';

describe('what a list of requests is narrowed to', () => {
  it('comes back from the address as it went in', () => {
    const search =
      'status=failed%2Cpartial&engine=a%26b&key=key_1&mode=async&text=HTTP+500&from=2026-03-01&to=2026-03-02&charged-failures=yes';
    expect(formatNarrowing(parseNarrowing(search))).toBe(search);
    expect(formatNarrowing(parseNarrowing(''))).toBe('');
  });

  it('asks the service for nothing that was not set', () => {
    expect(filterOf(parseNarrowing(''))).toEqual({});
    expect(filterOf(parseNarrowing('text=ab'))).toEqual({});
    expect(filterOf(parseNarrowing('text=+HTTP+500+'))).toEqual({ text: 'HTTP 500' });
  });

  it('counts the last day to its end', () => {
    const { from, to } = filterOf(parseNarrowing('from=2026-03-01&to=2026-03-01'));
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(24 * 3_600_000);
  });

  it('has the days that usage is counted by where the address says so, in any zone', () => {
    const search = 'from=2026-03-01&to=2026-03-02&zone=utc';
    expect(formatNarrowing(parseNarrowing(search))).toBe(search);
    expect(filterOf(parseNarrowing(search))).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-03T00:00:00.000Z',
    });
    expect(formatNarrowing(parseNarrowing('zone=utc'))).toBe('');
  });

  it('takes no day that is none, and no word that is none', () => {
    expect(parseNarrowing('from=yesterday&to=2026-02-31')).toMatchObject({ from: null, to: null });
    expect(parseNarrowing('status=foo,failed&mode=slow')).toMatchObject({ status: ['failed'], mode: null });
  });
});

it('counts what is listed, one by its own word', () => {
  expect([countText(0, false), countText(1, false), countText(50, true)]).toEqual([
    '0 requests',
    '1 request',
    'The newest 50 requests',
  ]);
});
