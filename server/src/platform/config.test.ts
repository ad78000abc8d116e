import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('lets a reading that is finished wait a quarter of an hour for its database', () => {
  expect(readConfig({}).outageLimitMs).toBe(900_000);
  expect(readConfig({ OUTAGE_LIMIT_MS: '2000' }).outageLimitMs).toBe(2000);
});

it('names every mistake at once: of values, of files, and of settings that another one needs', () => {
  const env = { PORT: 'x', METRICS_TOKEN_FILE: '/none', IDP_ISSUER: 'https://idp.example', ARCHIVE_AFTER_MONTHS: '1' };
  const mistakes = [/METRICS_TOKEN_FILE: .*ENOENT/, /PORT: /, /IDP_CLIENT_ID: is needed/, /ARCHIVE_DIR: is needed/];
  for (const mistake of mistakes) expect(() => readConfig(env)).toThrow(mistake);
});

describe.each([
  ['ALLOW_PRIVATE_CIDRS', '10.0.0.0/8,fd00::/8,::1/128', ['10.0.0.1', '10/8', '10.0.0.0/33']],
  ['TRUSTED_PROXIES', '10.0.0.1,fd00::/8', ['proxy', '10/8']],
  ['HOST', '::', ['localhost:8080', '999.1.1.1']],
  ['HOST', 'localhost', ['http://localhost']],
  [
    'DATABASE_URL',
    'postgres://ocr:pw@db:5432/ocr?sslmode=require',
    ['db', 'mysql://db/ocr', 'postgres://a:b/c#@db/ocr'],
  ],
  ['DATABASE_URL', 'postgresql://ocr@/ocr?host=/var/run/postgresql', ['postgres://db:port/ocr']],
  ['REPORTS_DATABASE_URL', 'postgres:///ocr', ['replica:5432']],
  ['REDIS_URL', 'rediss://:pw@redis:6379/1', ['redis:6379', 'redis.internal', 'http://redis']],
  ['REDIS_URL', '/run/redis.sock', ['6379']],
])('%s %s', (name, usable, mistaken) => {
  it('is taken', () => {
    expect(() => readConfig({ [name]: usable })).not.toThrow();
  });

  it.each(mistaken)('%s is a mistake, which is named', (value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The settings are not usable:\n  ${name}`));
  });
});

it('says of a number with a unit what is wrong with it, and shows no secret', () => {
  expect(() => readConfig({ SYNC_LIMIT_MS: '215s' })).toThrow('SYNC_LIMIT_MS: must be a number, without a unit');
  expect(() => readConfig({ DATABASE_URL: 'mysql://u:hush@db/x' })).toThrow(/^(?!.*hush)/s);
});
