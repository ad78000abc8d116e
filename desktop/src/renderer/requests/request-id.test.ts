import { expect, it } from 'vitest';
import { requestIdIn } from './request-id.ts';

const ID = 'ocr_01KAJ3Q0V5T8N2M4P6R8S0W1X3';

it('finds an id alone, in a log line and in an address', () => {
  expect(requestIdIn(ID)).toBe(ID);
  expect(requestIdIn(`{"level":30,"requestId":"${ID}","msg":"request settled"}`)).toBe(ID);
  expect(requestIdIn(`http://127.0.0.1:8080/v1/ocr/${ID}?x=1`)).toBe(ID);
  expect(requestIdIn(` ${ID.toLowerCase()}\n`)).toBe(ID);
});

it('takes nothing for an id that is none', () => {
  for (const text of ['', 'ocr_', ID.slice(0, -1), `${ID}0`, ID.replace('Q', 'U'), ID.slice(4)]) {
    expect(requestIdIn(text), text).toBeNull();
  }
});
