import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { Ending } from './model/engine.ts';

const DOWN: Ending = { kind: 'failed', message: 'down', temporary: true, httpStatus: 503 };
const FINE: Ending = { kind: 'ok' };

function failing(times: number): { breaker: CircuitBreaker; pass: (ms: number) => void } {
  let now = 1000;
  const breaker = new CircuitBreaker(() => now);
  for (let i = 0; i < times; i++) breaker.record(DOWN);
  return { breaker, pass: (ms) => (now += ms) };
}

describe('CircuitBreaker', () => {
  it('is open for half a minute, whatever is done to the clock meanwhile', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const breaker = new CircuitBreaker();
    for (let i = 0; i < 5; i++) breaker.record(DOWN);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(29_000);
    expect(breaker.isOpen).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(breaker.isOpen).toBe(false);
  });

  it('opens after five faults in a row', () => {
    expect(failing(4).breaker.isOpen).toBe(false);
    expect(failing(5).breaker.isOpen).toBe(true);
  });

  it.each<Ending>([
    { kind: 'timeout', message: '' },
    { kind: 'failed', message: '', temporary: true, httpStatus: null },
  ])('counts %j as a fault', (ending) => {
    const { breaker } = failing(4);
    breaker.record(ending);
    expect(breaker.isOpen).toBe(true);
  });

  it.each<Ending>([
    FINE,
    { kind: 'refused', message: '' },
    { kind: 'unreadable', message: '' },
    { kind: 'failed', message: '', temporary: true, httpStatus: 429 },
  ])('begins to count anew after %j', (ending) => {
    const { breaker } = failing(4);
    breaker.record(ending);
    breaker.record(DOWN);
    expect(breaker.isOpen).toBe(false);
  });

  it('is not held open by a trial that came to no end', () => {
    const { breaker, pass } = failing(5);
    pass(30_000);
    breaker.begin();
    expect(breaker.isOpen).toBe(true);
    breaker.forget();
    expect(breaker.isOpen).toBe(false);
  });

  it('lets one call try after 30 s, and closes when it goes well', () => {
    const { breaker, pass } = failing(5);
    pass(29_999);
    expect(breaker.isOpen).toBe(true);
    pass(1);
    expect(breaker.isOpen).toBe(false);
    breaker.begin();
    expect(breaker.isOpen).toBe(true);
    breaker.record(FINE);
    expect(breaker.isOpen).toBe(false);
  });

  it('opens again when the trial fails', () => {
    const { breaker, pass } = failing(5);
    pass(30_000);
    breaker.begin();
    breaker.record(DOWN);
    expect(breaker.isOpen).toBe(true);
  });

  describe('asked for a call', () => {
    const { signal } = new AbortController();
    const impatient = { patient: false, signal };
    const patient = { patient: true, signal };

    /** What has been answered so far; null is still waiting. */
    function asked(breaker: CircuitBreaker, times: number, who = impatient): (boolean | null)[] {
      const answers: (boolean | null)[] = Array.from({ length: times }, () => null);
      answers.forEach((_, i) => {
        void breaker.enter(who).then((answer) => {
          answers[i] = answer;
        });
      });
      return answers;
    }

    it('lets everybody through while it is closed', async () => {
      const answers = asked(failing(4).breaker, 3);
      await expect.poll(() => answers).toEqual([true, true, true]);
    });

    it('refuses during the pause whoever has no patience', async () => {
      expect(await failing(5).breaker.enter(impatient)).toBe(false);
    });

    it('lets exactly one of many through after the pause; all others go when it went well', async () => {
      const { breaker, pass } = failing(5);
      pass(30_000);
      const answers = [asked(breaker, 10), asked(breaker, 10, patient)];
      await expect.poll(() => answers.flat().filter(Boolean)).toEqual([true]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(answers.flat().filter((answer) => answer !== null)).toEqual([true]);
      breaker.record(FINE);
      await expect.poll(() => answers.flat()).toEqual(Array.from({ length: 20 }, () => true));
    });

    it('refuses the others when the trial failed, but for those who have patience', async () => {
      const { breaker, pass } = failing(5);
      pass(30_000);
      const answers = asked(breaker, 5);
      const waiting = asked(breaker, 5, patient);
      breaker.record(DOWN);
      await expect.poll(() => answers).toEqual([true, false, false, false, false]);
      expect(waiting).toEqual([null, null, null, null, null]);
      breaker.record(FINE); // a call from before the fault ends well
      await expect.poll(() => waiting).toEqual([true, true, true, true, true]);
    });

    it('lets the next one try when the trial came to no end', async () => {
      const { breaker, pass } = failing(5);
      pass(30_000);
      const answers = asked(breaker, 3);
      breaker.forget();
      await expect.poll(() => answers).toEqual([true, true, null]);
      breaker.forget();
      await expect.poll(() => answers).toEqual([true, true, true]);
    });

    it('ends the waiting with the signal', async () => {
      const stop = new AbortController();
      const waiting = failing(5).breaker.enter({ patient: true, signal: stop.signal });
      const reason = new Error('time is over');
      stop.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    });
  });
});
