import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { OutageError, throughOutage } from './outage.ts';

const PATIENT = { limitMs: 60_000, firstPauseMs: 1, onPause: () => undefined };

function refusal(code: string): Error {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
}

/** As Node.js tells that no connection was made. */
function unconnected(code: string): Error {
  return Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code, syscall: 'connect' });
}

/** As Node.js tells that TLS was not agreed on, or that a certificate does not hold. */
function untrusted(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const OUTAGES = [
  ...['57P01', '57P03', '40P01', '08006'].map(refusal),
  ...['53100', '53200', '53300', '25006', '58030', '57014', '55P03'].map(refusal),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Query read timeout'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('There was an error establishing an SSL connection'),
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'EMFILE'].map(
    unconnected,
  ),
  Object.assign(new Error('getaddrinfo EAI_FAIL'), { code: 'EAI_FAIL', syscall: 'getaddrinfo' }),
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNSPECIFIED'].map(
    untrusted,
  ),
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'].map(untrusted),
  new Error('The server does not support SSL connections'),
];

it.each(OUTAGES)('tries again after %s', async (outage) => {
  const work = vi.fn().mockRejectedValueOnce(outage).mockResolvedValue('done');
  expect(await throughOutage(work, PATIENT)).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

const UNREADABLE_FILE = Object.assign(new Error('open EMFILE'), { code: 'EMFILE', syscall: 'open' });

it.each([refusal('23505'), refusal('22P02'), refusal('54000'), new TypeError('a mistake'), UNREADABLE_FILE, 'text'])(
  'does not try again after %s',
  async (mistake) => {
    const work = vi.fn().mockRejectedValue(mistake);
    await expect(throughOutage(work, PATIENT)).rejects.toBe(mistake);
    expect(work).toHaveBeenCalledTimes(1);
  },
);

it('waits longer from time to time, gives up at its limit, and says that it was an outage', async () => {
  const pauses: number[] = [];
  const [outage] = OUTAGES;
  const waited = throughOutage(() => Promise.reject(outage), {
    limitMs: 1000, // a pause of 1 ms takes 50 on a busy machine
    firstPauseMs: 1,
    onPause: (_error, pauseMs) => pauses.push(pauseMs),
  });
  await expect(waited).rejects.toThrow(OutageError);
  expect(pauses.length).toBeGreaterThan(1);
  expect(pauses).toEqual(pauses.map((_, i) => 2 ** i));
});
