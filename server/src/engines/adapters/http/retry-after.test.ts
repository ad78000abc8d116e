import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from './exchange.ts';
import { retryAfterSeconds } from './retry-after.ts';

const answer = (headers: Record<string, string>, body: unknown = ''): HttpAnswer => ({
  kind: 'answer',
  status: 429,
  header: (name) => headers[name] ?? null,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const google = (retryDelay: unknown) => ({ error: { details: [{ '@type': 'x' }, null, { retryDelay }] } });
const NOW = 'Fri, 20 Nov 2026 10:00:00 GMT';

describe('retryAfterSeconds', () => {
  const cases: [name: string, given: HttpAnswer, seconds: number | null][] = [
    ['seconds', answer({ 'retry-after': '12' }), 12],
    ['parts of a second', answer({ 'retry-after': '0.2' }), 1],
    ['milliseconds', answer({ 'retry-after-ms': '1500', 'retry-after': '9' }), 2],
    ['a date', answer({ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT', date: NOW }), 30],
    ['a date that is past', answer({ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT', date: NOW }), null],
    ['a date without another', answer({ 'retry-after': NOW }), null],
    ['Google’s delay', answer({}, google('11.2s')), 12],
    ['a delay of another kind', answer({}, google(11)), null],
    ['broken JSON', answer({}, '{"retryDelay":"3s"'), null],
    ['nothing', answer({}), null],
    ['a word', answer({ 'retry-after': 'soon' }), null],
    ['zero', answer({ 'retry-after': '0' }), null],
    ['less than nothing', answer({ 'retry-after': '-5' }), null],
    ['a year', answer({ 'retry-after': '31536000' }), null],
  ];
  it.each(cases)('reads %s', (_name, given, seconds) => {
    expect(retryAfterSeconds(given)).toBe(seconds);
  });
});
