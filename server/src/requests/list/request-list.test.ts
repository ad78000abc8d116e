import 'reflect-metadata';
import { expect, it } from 'vitest';
import type { Pool } from '../../database/pool.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { RequestList } from './request-list.ts';

/** Answers nothing until it is told to. */
class HeldPool {
  readonly asked: string[] = [];
  readonly #answers: (() => void)[] = [];

  query({ name }: { name: string }): Promise<{ rows: never[] }> {
    this.asked.push(name);
    return new Promise((resolve) => this.#answers.push(() => resolve({ rows: [] })));
  }

  answer(): void {
    this.#answers.shift()?.();
  }
}

const PAGE = { size: 20, after: null, shown: new Set<string>(), listed: (request: OcrRequest) => request };
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('reads one list of an owner at a time, two of all owners, and those of operators at once', async () => {
  const pool = new HeldPool();
  const list = new RequestList(pool as unknown as Pool); // it is asked for nothing else
  const of = (party: string | null) => list.page('account', {}, { ...PAGE, party });
  const pages = [of('one'), of('one'), of('two'), of('three')];
  await settled();
  expect(pool.asked).toHaveLength(2);
  const operators = [of(null), of(null)];
  await settled();
  expect(pool.asked).toHaveLength(4);
  pool.answer();
  await settled();
  expect(pool.asked).toHaveLength(5);
  for (let i = 0; i < 5; i++) {
    pool.answer();
    await settled();
  }
  expect(await Promise.all([...pages, ...operators])).toHaveLength(6);
});

it('looks for an error code among the requests that can have one', async () => {
  const pool = new HeldPool();
  const list = new RequestList(pool as unknown as Pool); // it is asked for nothing else
  const page = list.page('account', { errorCode: 'provider_error' }, { ...PAGE, party: null });
  await settled();
  pool.answer();
  await page;
  expect(pool.asked).toEqual(['requests-of-account-unusual']);
});
