import { type EngineRunner } from '../../engines/engine-runner.ts';
import type { Ending, Engine, EngineInput, PageReading, Reading } from '../../engines/model/engine.ts';
import { CancelledError, TimeLimitError } from '../../engines/model/stop-reasons.ts';
import { cancelled, leftAlone, timedOut } from '../../engines/unanswered.ts';
import { faultPoint } from '../../platform/fault.ts';
import { inSpan } from '../../platform/tracing/spans.ts';
import type { PageTask } from './page-task.ts';

type EngineCall = Pick<PageTask, 'engine' | 'settings' | 'patient' | 'phases' | 'requestId' | 'signal'>;

/** Calls an engine. While its circuit breaker is open, a `patient` task waits; for any other one the call is not made. */
export async function callEngine(
  engines: EngineRunner,
  { engine, settings, patient, phases, requestId, signal }: EngineCall,
  input: EngineInput,
): ReturnType<EngineRunner['read']> {
  const { clock } = phases;
  const enters = await clock.during('place', () => engines.enter(engine, { patient, signal }));
  if (!enters) return { reading: leftAlone(engine), latencyMs: 0 };
  faultPoint('before-engine-call');
  const answer = await clock.during('engine', () =>
    inSpan('engine', { kind: 'client', attributes: { 'ocr.engine': engine.id } }, async (annotate) => {
      const read = await engines.read(engine, input, settings, { requestId, signal });
      annotate({ 'ocr.ending': read.reading.ending.kind });
      return read;
    }),
  );
  faultPoint('after-engine-answer');
  const { reading } = answer;
  if (!isBadRequest(reading.ending) || Object.keys(settings.native).length === 0) return answer;
  // What the caller's own fields may have caused is not held against the engine.
  return { ...answer, reading: { ...reading, ending: { ...reading.ending, byCaller: true } } };
}

function isBadRequest(ending: Ending): ending is Ending & { kind: 'failed' } {
  return ending.kind === 'failed' && (ending.httpStatus === 400 || ending.httpStatus === 422);
}

/** The reading of a call that was not made because the request was stopped; null where that makes no reading of it. */
export function uncalled(engine: Engine, reason: unknown): Reading | null {
  if (reason instanceof TimeLimitError) return timedOut(engine, { called: false });
  return reason instanceof CancelledError ? cancelled(engine, { called: false }) : null;
}

export function isTextless(reading: Reading, page: PageReading | null): boolean {
  const kind = reading.ending.kind;
  return kind === 'empty' || (kind === 'ok' && (page?.text ?? '').trim() === '');
}
