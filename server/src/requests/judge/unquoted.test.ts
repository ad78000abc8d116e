import { expect, it } from 'vitest';
import { quoteAt, unkeptParts, unquoteOf } from './unquoted.ts';

const said = { providerError: null, warnings: [], warning: null, metadata: null };

it('leaves out what is quoted, in any sentence, and nothing else', () => {
  const unquote = unquoteOf([{ quotes: ['on'] }, { quotes: ['on fire', 'Not this one.'] }]);
  const parts = unkeptParts(
    {
      providerError: 'The engine answered with HTTP 500: on fire. The retry: on.',
      warnings: ['Page 2 failed: The engine refused to read the page: “Not this one.”', 'Page 3 is blank.'],
      warning: 'The provider’s cost: on nothing.',
      metadata: { fallback: { requestedEngine: 'a', usedEngine: 'b', reason: 'HTTP 500: on fire', attempts: [] } },
    },
    unquote,
  );
  expect(parts).toEqual({
    provider_error_unkept: 'The engine answered with HTTP 500: …. The retry: ….',
    warnings_unkept: ['Page 2 failed: The engine refused to read the page: “…”', 'Page 3 is blank.'],
    warning_unkept: 'The provider’s cost: … nothing.',
    metadata_unkept: { fallback: { requestedEngine: 'a', usedEngine: 'b', reason: 'HTTP 500: …', attempts: [] } },
  });
});

it('leaves out the beginning of a quote where the sentence was cut', () => {
  const unquote = unquoteOf([{ quotes: ['cannot parse: Dear Ms Fisher'] }]);
  expect(unquote?.('Page 2: The engine answered with HTTP 500: cannot parse: Dear Ms…')).toBe(
    'Page 2: The engine answered with HTTP 500: …',
  );
  expect(unquote?.('Page 2: The engine gave no te…')).toBe('Page 2: The engine gave no te…');
});

it('says nothing where nothing is quoted, but what it would say anyway', () => {
  expect(unquoteOf([{ quotes: [] }])).toBeNull();
  expect(unkeptParts(said, null)).toEqual({});
  expect(unkeptParts({ ...said, warningWithoutText: 'Nothing was kept.' }, null)).toEqual({
    warning_unkept: 'Nothing was kept.',
  });
});

it('knows where the first quote of a message begins', () => {
  const quotes = ['on', 'on fire'];
  expect(quoteAt({ message: 'The engine’s answer on page 2 is HTTP 500: on fire.', quotes })).toBe(43);
  expect(quoteAt({ message: 'The engine refused to read the page: “on”', quotes })).toBe(38);
  expect(quoteAt({ message: 'It did not answer in time on page 2.', quotes })).toBeNull();
  expect(quoteAt({ message: null, quotes })).toBeNull();
});
