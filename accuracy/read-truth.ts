import { readFileSync } from 'node:fs';
import { failureCost, successCost } from '../server/src/billing/charge.ts';
import type { Documents } from '../server/src/documents/documents.ts';
import { plainText } from '../server/src/documents/markdown/plain-text.ts';
import { adapterOf } from '../server/src/engines/adapters/registry.ts';
import type { EngineRunner } from '../server/src/engines/engine-runner.ts';
import { mapLanguage } from '../server/src/engines/language/language.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../server/src/engines/model/engine.ts';
import { toUsd } from '../server/src/platform/money.ts';
import { characterErrorRate, wordErrorRate } from './error-rate.ts';
import type { DocumentResult } from './summary.ts';
import type { Truth } from './truths.ts';

const NEVER = new AbortController().signal;

export interface ReadingTools {
  readonly engines: EngineRunner;
  readonly documents: Documents;
}

/**
 * Reads one document on one engine, as a request would, and compares. Null when the engine does not take such documents;
 * whatever else goes wrong is a failure and not an exception.
 */
export async function readTruth(truth: Truth, engine: Engine, tools: ReadingTools): Promise<DocumentResult | null> {
  const started = performance.now();
  const about = { document: truth.name, set: truth.set };
  try {
    const calls = await readAll(truth, engine, tools);
    if (!calls) return null;
    const latencyMs = calls.reduce((sum, call) => sum + call.latencyMs, 0);
    const failed = calls.find(({ reading }) => reading.ending.kind !== 'ok')?.reading;
    const text = calls.flatMap(({ reading }) => reading.pages.map((page) => page.text)).join('\n');
    return {
      ...about,
      version: calls[0]?.reading.modelVersion ?? null,
      failure: failed ? why(failed) : null,
      answered: !calls.some(({ reading }) => reading.ending.kind === 'failed' || reading.ending.kind === 'timeout'),
      ...ratesOf(truth, text),
      costUsd: cost(engine, calls),
      latencyMs,
    };
  } catch (error) {
    const failure = (error as Error).message; // what is thrown in there is an Error
    const latencyMs = Math.round(performance.now() - started);
    const nothing = { version: null, answered: false, characterErrorRate: 1, wordErrorRate: 1, costUsd: null };
    return { ...about, ...nothing, failure, latencyMs };
  }
}

type Call = Awaited<ReturnType<EngineRunner['read']>> & { readonly pages: number };

async function readAll(truth: Truth, engine: Engine, { engines, documents }: ReadingTools): Promise<Call[] | null> {
  const bytes = readFileSync(truth.path);
  const { format, pages } = await documents.inspect(bytes);
  if (!engine.accepts.includes(format)) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const call = async (input: EngineInput, count: number): Promise<Call> => {
    using _permit = await engines.permit(engine, NEVER);
    return {
      ...(await engines.read(engine, input, settingsOf(truth, engine), { requestId: null, signal: NEVER })),
      pages: count,
    };
  };
  if (format === 'pdf' && engine.nativePdf) {
    return [await call({ kind: 'document', bytes, format, pages: numbers }, pages)];
  }
  const calls: Call[] = [];
  for (const page of numbers) {
    const decoded = engines.wantsDecoded(engine);
    const picture = await documents.picture(bytes, format, page, { dpi: null, decoded });
    calls.push(await call({ kind: 'picture', page, picture }, 1));
  }
  return calls;
}

function settingsOf({ language }: Truth, engine: Engine): EngineSettings {
  const mapped = mapLanguage(adapterOf(engine).languageFamily, language, undefined);
  return { language: mapped.language, languageNative: mapped.native, dpi: null, detectTables: false, native: {} };
}

/** Both sides as plain text: an engine that answers in Markdown is not charged with its marks. */
function ratesOf(truth: Truth, read: string): Pick<DocumentResult, 'characterErrorRate' | 'wordErrorRate'> {
  const [expected, got] = [plainText(truth.text), plainText(read)];
  return { characterErrorRate: characterErrorRate(expected, got), wordErrorRate: wordErrorRate(expected, got) };
}

/** The price of what was read, and what the rest costs at the provider; null when it has not said. */
function cost(engine: Engine, calls: readonly Call[]): number | null {
  let total = 0n;
  for (const { reading, pages } of calls) {
    const local = adapterOf(engine).local;
    const one =
      reading.ending.kind === 'ok'
        ? successCost(engine, [reading], pages)
        : failureCost({ ...engine, local }, reading, pages);
    if (one === null) return null;
    total += one;
  }
  return toUsd(total);
}

function why({ ending }: Reading): string {
  return 'message' in ending ? `${ending.kind}: ${ending.message}` : ending.kind;
}
