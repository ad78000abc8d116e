import { expect, it } from 'vitest';
import { storableUsage } from './storable-usage.ts';

it('keeps usage as it came', () => {
  const usage = { prompt_tokens: 10, details: { cached: 1 } };
  expect(storableUsage(usage)).toBe(usage);
  expect(storableUsage([usage, null])).toEqual([usage, null]);
});

it('tells only the length of usage that is absurdly long, call by call', () => {
  expect(storableUsage([{ a: 1 }, { a: 'x'.repeat(5000) }])).toEqual([{ a: 1 }, { omitted: '5008 characters' }]);
});

it('tells only that usage is nested too deep to be written', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(storableUsage([{ a: 1 }, { deep }])).toEqual([{ a: 1 }, { omitted: 'nested too deep' }]);
});
