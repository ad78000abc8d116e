import { expect, it } from 'vitest';
import { type FailingCalls, type Health, isAnswered, judgeHealth, providerFaultOf, type Signs } from './health.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, second));
const WELL = { failures: 0, detail: null, fault: null, checkedAt: at(0) };
const wrong = (failures: number) => ({ failures, detail: 'no answer in time', fault: null, checkedAt: at(0) });
const NONE_FAILED: FailingCalls = { failedInRow: 0, failingSince: null, lastFailedAt: null, providerFault: null };
const calls = (recentCalls: number, recentFaults: number, answeredInRow = 0) => ({
  ...{ recentCalls, recentFaults, answeredInRow, ...NONE_FAILED },
});
const failing = (failedInRow: number, more: Partial<Signs['calls']> = {}) => ({
  ...{ recentCalls: failedInRow, recentFaults: failedInRow, answeredInRow: 0, failedInRow },
  ...{ failingSince: at(10), lastFailedAt: at(20), providerFault: null, ...more },
});

function judged(signs: Partial<Signs>): Health {
  return judgeHealth({ probe: null, probesRead: true, calls: calls(0, 0), isResting: false, ...signs });
}

it('is unknown without a probe and without a call', () => {
  expect(judged({})).toEqual({ status: 'unknown', detail: null });
});

it('is healthy after a good probe, or by good traffic alone, however little', () => {
  expect(judged({ probe: WELL })).toEqual({ status: 'healthy', detail: null });
  expect(judged({ calls: calls(10, 1) }).status).toBe('healthy');
  expect(judged({ calls: calls(1, 0) }).status).toBe('healthy');
});

it('is degraded by one failed probe, by more than a tenth of failed calls, and by any failure among few calls', () => {
  expect(judged({ probe: wrong(1) })).toEqual({ status: 'degraded', detail: 'no answer in time' });
  const some = { status: 'degraded', detail: '3 of the latest 20 calls failed' };
  expect(judged({ probe: WELL, calls: calls(20, 3) })).toEqual(some);
  expect(judged({ calls: calls(5, 2) })).toEqual({ status: 'degraded', detail: '2 of the latest 5 calls failed' });
  expect(judged({ calls: calls(1, 1) })).toEqual({ status: 'degraded', detail: 'the latest call failed' });
});

it('is unhealthy by two failed probes in a row, or when half of the calls failed', () => {
  expect(judged({ probe: wrong(2), calls: calls(100, 0) })).toEqual({
    status: 'unhealthy',
    detail: 'no answer in time',
  });
  const half = { status: 'unhealthy', detail: '5 of the latest 10 calls failed' };
  expect(judged({ probe: WELL, calls: calls(10, 5) })).toEqual(half);
});

it('is no longer down by its share when so many answers in a row would hardly be chance', () => {
  const over = { status: 'degraded', detail: '60 of the latest 64 calls failed, the latest 4 were answered' };
  expect(judged({ calls: calls(64, 60, 4) })).toEqual(over);
  expect(judged({ calls: calls(61, 60, 1) }).status).toBe('unhealthy');
  expect(judged({ calls: calls(20, 10, 4) }).status).toBe('unhealthy');
  expect(judged({ calls: calls(20, 10, 10) }).status).toBe('degraded');
});

it('is unhealthy as soon as its circuit is open, whatever went well before', () => {
  expect(judged({ calls: { ...failing(5), recentCalls: 200 }, isResting: true })).toMatchObject({
    status: 'unhealthy',
    detail: expect.stringContaining('left alone'),
  });
});

it('is told by few calls: two failed ones degrade it, five are its end', () => {
  expect(judged({ calls: failing(2) })).toMatchObject({ status: 'degraded' });
  expect(judged({ calls: failing(5) })).toEqual({
    status: 'unhealthy',
    detail: 'the latest 5 calls failed in a row',
  });
});

it('takes one refusal of the credentials for a proof', () => {
  const refused = failing(1, { providerFault: 'credentials_refused' });
  expect(judged({ calls: refused })).toEqual({
    status: 'unhealthy',
    detail: 'its provider refuses the gateway’s credentials',
  });
  expect(judged({ calls: failing(1, { providerFault: 'http_error' }) }).status).toBe('degraded');
});

it('takes one refusal of the credentials at a probe for a proof, too, before any request has failed', () => {
  const refused = { ...wrong(1), fault: 'credentials_refused' } as const;
  expect(judged({ probe: refused })).toEqual({
    status: 'unhealthy',
    detail: 'its provider refuses the gateway’s credentials',
  });
  expect(judged({ probe: { ...refused, fault: 'http_error' } }).status).toBe('degraded');
});

it('knows what the provider last said, to a call or to a probe, until one is answered otherwise', () => {
  const refused = failing(1, { providerFault: 'credentials_refused' });
  const fault = (signs: Partial<Signs>) =>
    providerFaultOf({ probe: null, probesRead: true, calls: calls(0, 0), ...signs });
  expect(fault({ calls: refused })).toBe('credentials_refused');
  expect(fault({ probe: { ...wrong(1), fault: 'no_credit' }, calls: refused })).toBe('no_credit');
  const later = { ...WELL, checkedAt: at(30) };
  expect(fault({ probe: later, calls: refused })).toBeNull();
  expect(fault({ probe: later, probesRead: false, calls: refused })).toBe('credentials_refused');
  expect(fault({ probe: WELL, calls: refused })).toBe('credentials_refused');
  expect(fault({ probe: { ...wrong(1), fault: 'http_error' }, calls: refused })).toBe('credentials_refused');
});

it('does not recover by the traffic’s end alone', () => {
  const silent = { recentCalls: 0, recentFaults: 0 };
  expect(judged({ calls: failing(26, silent) }).status).toBe('unhealthy');
  expect(judged({ calls: failing(1, { ...silent, providerFault: 'credentials_refused' }) }).status).toBe('unhealthy');
});

it('recovers by a later probe that succeeds, if it was one that shows that much', () => {
  const probe = { ...WELL, checkedAt: at(30) };
  expect(judged({ probe, calls: failing(6) }).status).toBe('healthy');
  expect(judged({ probe: WELL, calls: failing(6) }).status).toBe('unhealthy');
  const refused = failing(6, { providerFault: 'credentials_refused' });
  expect(judged({ probe, calls: refused }).status).toBe('healthy');
  expect(judged({ probe, probesRead: false, calls: refused }).status).toBe('unhealthy');
});

it('is not made well by a health URL that answers while its calls fail', () => {
  const probe = { ...WELL, checkedAt: at(30) };
  const answers = { probe, probesRead: false };
  expect(judged({ ...answers, calls: failing(9) })).toEqual({
    status: 'unhealthy',
    detail: 'the latest 9 calls failed in a row',
  });
  expect(judged({ ...answers, calls: failing(1) }).status).toBe('degraded');
});

it('is told by its health URL, if that has answered since, once there are no calls to go by', () => {
  const silent = failing(9, { recentCalls: 0, recentFaults: 0 });
  expect(judged({ probe: { ...WELL, checkedAt: at(30) }, probesRead: false, calls: silent }).status).toBe('healthy');
  expect(judged({ probe: WELL, probesRead: false, calls: silent }).status).toBe('unhealthy');
});

it('was answered by its latest call, or by a probe that reads and succeeded since', () => {
  const answered = (signs: Partial<Signs>) =>
    isAnswered({ probe: null, probesRead: true, calls: calls(1, 0), ...signs });
  const later = { probe: { ...WELL, checkedAt: at(30) }, calls: failing(1) };
  expect([answered({}), answered(later), answered({ ...later, probesRead: false })]).toEqual([true, true, false]);
  expect(answered({ calls: failing(1) })).toBe(false);
});
