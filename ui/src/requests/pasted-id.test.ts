import { expect, it } from 'vitest';
import { pastedId } from './pasted-id.ts';

const ID = 'ocr_01KAJ3Q0V5T8N2M4P6R8S0W1X3';
const CALL = 'req_01KAJ3Q0V5T8N2M4P6R8S0W1X4';

it('finds an id alone, in a log line and in an address', () => {
  const texts = [
    ID,
    `{"level":30,"requestId":"${ID}","msg":"request settled"}`,
    `http://127.0.0.1:8080/v1/ocr/${ID}?x=1`,
    ` ${ID.toLowerCase()}\n`,
  ];
  for (const text of texts) expect(pastedId(text), text).toEqual({ kind: 'request', id: ID });
});

it('tells a refused call from a request, which comes first where a text has both', () => {
  expect(pastedId(`X-Request-Id: ${CALL.toLowerCase()}`)).toEqual({ kind: 'call', id: CALL });
  expect(pastedId(`${CALL} POST /v1/ocr/${ID}`)).toEqual({ kind: 'request', id: ID });
});

it('takes nothing for an id that is none', () => {
  for (const text of ['', 'ocr_', ID.slice(0, -1), `${ID}0`, ID.replace('Q', 'U'), ID.slice(4)]) {
    expect(pastedId(text), text).toBeNull();
  }
});
