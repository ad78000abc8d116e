import { expect, it } from 'vitest';
import { noAttemptWords } from './no-attempt-words.ts';

const RUNNING = { status: 'processing', engine: 'tesseract', finishedAt: null, understood: { fallback: 'off' } };

it('says of a request that runs which engine reads it', () => {
  expect(noAttemptWords(RUNNING)).toMatch(/^Being read by tesseract now\./);
  expect(noAttemptWords({ ...RUNNING, status: 'queued' })).toBe('It waits for tesseract.');
});

it('does not say which of two engines it is', () => {
  const words = 'Being read by tesseract, or its second engine, now.';
  expect(noAttemptWords({ ...RUNNING, understood: { fallback: 'similar' } })).toContain(words);
  expect(noAttemptWords({ ...RUNNING, understood: { fallback: 'off', fallbackEngine: 'other' } })).toContain(words);
});

it('says of one that has ended that none has run', () => {
  const ended = { ...RUNNING, status: 'rejected', finishedAt: '2026-11-23T10:00:00Z' };
  expect(noAttemptWords(ended)).toBe('No engine has run for it.');
});
