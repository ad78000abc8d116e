import { adapterOf } from './adapters/registry.ts';
import type { Engine, Reading } from './model/engine.ts';
import { OUT_OF_TIME, unread } from './model/reading.ts';

/** Why a cancelled request has no text. */
export const CANCELLED = 'The request was cancelled.';

/** The reading of a call that was not made, because the engine failed several times in a row. */
export function leftAlone({ id }: Engine): Reading {
  const message = `Engine "${id}" failed several times in a row and is left alone for a moment; it was not called.`;
  return unread({
    ending: { kind: 'failed', message, temporary: true, httpStatus: null, called: false },
    billed: 'no',
  });
}

/** The reading of a call that time ended, or (`called: false`) that time did not even let begin. */
export function timedOut(engine: Engine, { called }: { called: boolean }): Reading {
  return unread({
    ending: OUT_OF_TIME,
    billed: !called || adapterOf(engine).local ? 'no' : 'unknown',
  });
}

/** The reading of a call that its request's cancellation ended, or (`called: false`) did not let begin. */
export function cancelled(engine: Engine, { called }: { called: boolean }): Reading {
  return unread({
    ending: { kind: 'cancelled', message: CANCELLED, called },
    billed: !called || adapterOf(engine).local ? 'no' : 'unknown',
  });
}
