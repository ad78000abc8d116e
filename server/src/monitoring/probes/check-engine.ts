import { request } from 'undici';
import { failureCost } from '../../billing/charge.ts';
import type { Documents } from '../../documents/documents.ts';
import { providerAgent } from '../../engines/adapters/http/provider-agent.ts';
import { adapterOf } from '../../engines/adapters/registry.ts';
import type { EngineRunner } from '../../engines/engine-runner.ts';
import { mapLanguage } from '../../engines/language/language.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../../engines/model/engine.ts';
import type { Permit } from '../../platform/concurrency/fair-semaphore.ts';
import { failureCode } from '../../platform/connections/failure-code.ts';
import { fewInterimAnswers } from '../../platform/egress/interim-answers.ts';
import { AppError } from '../../platform/errors.ts';
import { PROBE_PDF, PROBE_PICTURE, PROBE_WORD } from './probe-documents.ts';
import type { Check } from './probe-store.ts';

/** Longest time for one probe, in ms, once the engine has a place for it. */
export const PROBE_LIMIT_MS = 60_000;

export interface CheckTools {
  readonly engines: EngineRunner;
  readonly documents: Documents;
}

/**
 * Makes one probe: asks the health URL where there is one, or has a small picture with a known word read. Null where all places
 * of the engine stayed taken: it is busy, which says nothing against it.
 */
export async function checkEngine(engine: Engine, tools: CheckTools, stop: AbortSignal): Promise<Check | null> {
  if (engine.healthUrl) return askUrl(engine.healthUrl, stop);
  const permit = await tools.engines.permit(engine, withLimit(stop)).catch(() => null);
  if (!permit) return null;
  return readWord(engine, tools, { permit, signal: withLimit(stop) });
}

async function readWord(
  engine: Engine,
  { engines, documents }: CheckTools,
  { permit, signal }: { permit: Permit; signal: AbortSignal },
): Promise<Check> {
  using _permit = permit;
  const started = performance.now();
  try {
    const input = await probeInput(engine, { engines, documents });
    const { reading } = await engines.read(engine, input, probeSettings(engine), { requestId: null, signal });
    const detail = whatIsWrong(reading);
    const fault = reading.ending.kind === 'failed' ? (reading.ending.fault ?? null) : null;
    const cost = failureCost({ ...engine, local: adapterOf(engine).local }, reading, 1);
    return { ...outcome(started, detail), fault, cost, usage: reading.usage?.raw ?? null };
  } catch (error) {
    // Nobody knows whether a hosted engine bills what was broken off.
    const cost = adapterOf(engine).local ? 0n : null;
    return { ...outcome(started, reason(error, signal)), fault: null, cost, usage: null };
  }
}

async function askUrl(url: string, stop: AbortSignal): Promise<Check> {
  const started = performance.now();
  const signal = withLimit(stop);
  const http = providerAgent(); // of its own: the question waits behind no call, and what is left of it ends with it
  const hangUp = () => void http.destroy(signal.reason); // also while there is no connection, when undici looks at no signal
  signal.addEventListener('abort', hangUp, { once: true });
  try {
    signal.throwIfAborted();
    const answer = await request(url, { dispatcher: http, signal, onInfo: fewInterimAnswers() });
    await answer.body.dump();
    const well = answer.statusCode >= 200 && answer.statusCode < 300;
    const detail = well ? null : `the health URL answered ${answer.statusCode}`;
    return { ...outcome(started, detail), fault: null, cost: 0n, usage: null };
  } catch (error) {
    return { ...outcome(started, reason(error, signal)), fault: null, cost: 0n, usage: null };
  } finally {
    signal.removeEventListener('abort', hangUp);
    await http.destroy();
  }
}

const WRONG: Record<Exclude<Reading['ending']['kind'], 'ok'>, string> = {
  failed: 'the probe failed',
  timeout: 'the probe was not answered in time',
  refused: 'the probe was refused',
  empty: 'the probe brought no text',
  truncated: 'the probe’s text broke off',
  unreadable: 'the probe’s page was called unreadable',
  cancelled: 'the probe was cancelled',
};

function whatIsWrong({ ending, pages }: Reading): string | null {
  if (ending.kind !== 'ok') return WRONG[ending.kind];
  const text = pages.map((page) => page.text).join(' ');
  return text.toUpperCase().includes(PROBE_WORD) ? null : 'the probe’s word was not read';
}

function outcome(started: number, detail: string | null): Pick<Check, 'healthy' | 'latencyMs' | 'detail'> {
  return { healthy: detail === null, latencyMs: Math.round(performance.now() - started), detail };
}

/** The reason in words for anybody: messages of the system name private addresses, and none where several were tried. */
function reason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time';
  const { message } = error as Error; // what is thrown here is one
  return `failed: ${error instanceof AppError ? message : failureCode(error) || message}`;
}

function withLimit(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(PROBE_LIMIT_MS)]);
}

async function probeInput(engine: Engine, { engines, documents }: CheckTools): Promise<EngineInput> {
  if (engine.nativePdf && !engine.accepts.includes('png')) {
    return { kind: 'document', bytes: PROBE_PDF, format: 'pdf', pages: [1] };
  }
  const decoded = engines.wantsDecoded(engine);
  const picture = await documents.picture(PROBE_PICTURE, 'png', 1, { dpi: null, decoded });
  return { kind: 'picture', page: 1, picture };
}

function probeSettings(engine: Engine): EngineSettings {
  const mapped = mapLanguage(adapterOf(engine).languageFamily, 'en', undefined);
  return { language: mapped.language, languageNative: mapped.native, dpi: null, detectTables: false, native: {} };
}
