import { expect, it } from 'vitest';
import { matches, readFilter, requestFilter, withinHours, writeFilter } from './request-filter.ts';

const ROW = { engine: 'tesseract', status: 'failed', mode: 'sync', accountId: 'a-1', keyId: 'key_1' };

it('reads what it wrote, and leaves the rest of the address alone', () => {
  const filter = {
    ...readFilter(''),
    engine: 'tesseract',
    statuses: ['failed', 'partial'],
    mode: 'async',
    key: 'key_1',
    code: 'provider_error',
    idempotencyKey: 'invoice 17&18',
    text: 'HTTP 500',
    webhook: 'failed',
  };
  const search = writeFilter('request=ocr_1&range=7d', filter);
  expect(new URLSearchParams(search).get('request')).toBe('ocr_1');
  expect(new URLSearchParams(search).get('range')).toBe('7d');
  expect(readFilter(search)).toEqual({ ...filter, statuses: ['partial', 'failed'] });
  expect(writeFilter(search, readFilter(''))).toBe('request=ocr_1&range=7d');
});

it('ignores words that mean nothing', () => {
  expect(readFilter('status=lost&mode=slow&from=yesterday&engine=&webhook=lost')).toEqual(readFilter(''));
});

it('asks the API for every account unless one is named', () => {
  expect(requestFilter(readFilter(''))).toEqual({ allAccounts: true });
  expect(requestFilter(readFilter('account=a-1&status=queued'))).toEqual({ accountId: 'a-1', status: ['queued'] });
  expect(requestFilter(readFilter('code=provider_error&idempotency-key=a%26b'))).toEqual({
    allAccounts: true,
    errorCode: 'provider_error',
    idempotencyKey: 'a&b',
  });
  expect(requestFilter(readFilter('text=HTTP+500'))).toEqual({ allAccounts: true, text: 'HTTP 500' });
  expect(requestFilter(readFilter('webhook=failed'))).toEqual({ allAccounts: true, webhook: 'failed' });
});

it('judges a row as the API does', () => {
  expect(matches(readFilter('engine=tesseract&status=failed,queued&mode=sync&account=a-1&key=key_1'), ROW)).toBe(true);
  for (const other of ['engine=pdf-text', 'status=queued', 'mode=async', 'account=a-2', 'key=key_2']) {
    expect(matches(readFilter(other), ROW), other).toBe(false);
  }
});

it('lets what an event does not know of decide nothing', () => {
  const filter = readFilter('code=provider_error&idempotency-key=a');
  expect(matches(filter, ROW)).toBe(true);
  expect(matches(filter, { ...ROW, errorCode: 'provider_error', idempotencyKey: 'a' })).toBe(true);
  expect(matches(filter, { ...ROW, errorCode: null })).toBe(false);
  expect(matches(filter, { ...ROW, idempotencyKey: 'b' })).toBe(false);
});

it('finds a text in the error’s code and message whatever its case, and at the key’s beginning only', () => {
  const found = (text: string) =>
    matches(readFilter(`text=${text}`), {
      ...ROW,
      errorCode: 'provider_error',
      providerError: 'HTTP 500: out of order',
      idempotencyKey: 'invoice-17',
    });
  expect(['http 500', 'ORDER', 'provider_', 'invoice', '17', 'Invoice'].map(found)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(matches(readFilter('text=http'), ROW)).toBe(true);
});

it('counts the start of a period in and its end out', () => {
  const filter = readFilter('from=2026-11-21T10:00:00Z&to=2026-11-21T11:00:00Z');
  expect(matches(filter, { ...ROW, createdAt: '2026-11-21T10:00:00.000Z' })).toBe(true);
  expect(matches(filter, { ...ROW, createdAt: '2026-11-21T11:00:00.000Z' })).toBe(false);
});

it('goes by the time range, unless the address names a time, or any', () => {
  const nowMs = Date.parse('2026-11-21T10:00:00Z');
  const asked = (search: string) => requestFilter(withinHours(readFilter(search), 1, nowMs));
  expect(asked('status=failed')).toEqual({
    allAccounts: true,
    status: ['failed'],
    from: '2026-11-21T09:00:00.000Z',
  });
  expect(asked('to=2026-11-20T10:00:00Z')).toEqual({ allAccounts: true, to: '2026-11-20T10:00:00.000Z' });
  expect(asked('time=any')).toEqual({ allAccounts: true });
  expect(writeFilter('range=1h', readFilter('time=any'))).toBe('range=1h&time=any');
});
