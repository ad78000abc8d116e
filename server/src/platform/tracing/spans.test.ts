import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { inSpan, inTrace, openTraceparent, traceHeaders, traceOfLog } from './spans.ts';

it('does nothing and adds nothing while no collector is named, whatever is logged', async () => {
  const log = pino({ mixin: traceOfLog }, new PassThrough());
  log.warn({ err: new Error('away') }, 'the database is away');
  log.info({ requestId: 'ocr_1' }, 'request settled');
  expect(traceHeaders()).toEqual({});
  expect(traceOfLog()).toEqual({});
  expect(openTraceparent()).toBeNull();
  expect(await inTrace('00-1-2-01', () => inSpan('page', {}, async () => openTraceparent()))).toBeNull();
});
