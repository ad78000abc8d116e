import { expect, it } from 'vitest';
import { isCallId, pastedId } from './pasted-id.ts';

const REQUEST = 'ocr_01KAJ3Q0V5T8N2M4P6R8S0W1X3';
const CALL = 'req_01KAJ3Q0V5T8N2M4P6R8S0W1X3';

it('finds the id of a request or of a refused call in what was pasted', () => {
  expect([REQUEST, `X-Request-Id: ${CALL}`, ` ${CALL.toLowerCase()} `, 'ocr_1', ''].map(pastedId)).toEqual([
    REQUEST,
    CALL,
    CALL,
    null,
    null,
  ]);
  expect([REQUEST, CALL].map(isCallId)).toEqual([false, true]);
});
