import { expect, it } from 'vitest';
import { leftOutWords } from './left-out-words.ts';

const KNOWN = { status: (word: string) => word === 'failed', mode: (word: string) => word === 'sync' };

it('names what is not known, each with its parameter, and nothing of others', () => {
  const search = '?status=foo,failed,bar&mode=slow&text=anything&mode=other';
  expect(leftOutWords(search, KNOWN)).toEqual(['status “foo”', 'status “bar”', 'mode “slow”']);
  expect(leftOutWords('status=failed&mode=sync', KNOWN)).toEqual([]);
  expect(leftOutWords('status=,&mode=', KNOWN)).toEqual([]);
  expect(leftOutWords(`mode=${'n'.repeat(50)}`, KNOWN)).toEqual([`mode “${'n'.repeat(40)}…”`]);
});
