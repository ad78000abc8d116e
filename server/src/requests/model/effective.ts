import type { Context } from '../../accounts/callers/context.ts';
import { decodeBase64 } from '../../documents/formats/base64.ts';
import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import { assertPublicUrl } from '../../platform/egress/egress.ts';
import { AppError } from '../../platform/errors.ts';
import { fromUsd, type NanoUsd } from '../../platform/money.ts';
import { includedParts, type PagePart } from './include.ts';
import { boundedNative } from './input/native-bounds.ts';
import { requireInputBounds } from './input-bounds.ts';
import type { OcrRequestInput } from './ocr-request.input.ts';
import { askedPages, requirePageCount } from './page-range.ts';
import { Mode, OutputFormat } from './request-enums.ts';

type ScannedHandling = 'skip' | 'fallback' | 'error';

/** The request as it is understood: defaults applied, synonyms resolved. Stored with the request, without the bytes. */
export interface Effective {
  readonly engine: string;
  readonly inputType: 'url' | 'base64';
  readonly url: string | null;
  readonly mimeType: string | null;
  readonly language: string | null;
  readonly languageHints: readonly string[] | null;
  readonly dpi: number | null;
  readonly detectTables: boolean;
  readonly pageRange: string | null;
  /** As given; null when the caller left it to the default. */
  readonly pageCount: number | null;
  readonly native: Readonly<Record<string, unknown>>;
  readonly fallbackEngine: string | null;
  readonly scannedHandling: ScannedHandling;
  /** Whether the caller asked for it by name, so that an engine that ignores it can say so. */
  readonly scannedHandlingGiven: boolean;
  readonly fallback: 'off' | 'similar';
  readonly mode: Mode;
  readonly webhookUrl: string | null;
  readonly outputFormat: OutputFormat;
  /** What the result carries beside its text; absent where that is nothing. */
  readonly include?: readonly PagePart[];
  /** The most that it may cost, in nano-USD as text (JSON has no 64-bit integers); absent where nothing was said. */
  readonly maxCost?: string;
  /** Absent where pages may be prepared. */
  readonly preprocess?: 'off';
}

/** An effective request with everything that accepting it needs. */
export interface Understood {
  readonly effective: Effective;
  readonly engine: Engine;
  readonly fallbackEngine: Engine | null;
  /** The decoded document; null for a URL. */
  readonly bytes: Buffer | null;
  /** Pages that are billed: `page_count`, or the length of the range. */
  readonly pages: number;
  /** False: nothing of it is kept, whatever the account keeps. */
  readonly store: boolean;
  readonly warnings: readonly string[];
}

export interface UnderstandingContext {
  readonly catalogue: Catalogue;
  readonly allowPrivateCidrs: readonly string[];
  readonly sentDocuments?: Context['sentDocuments'] | undefined;
}

/** Checks a request and applies the defaults. Throws `invalid_request` naming the field, or `unknown_engine`. */
export function understand(
  input: OcrRequestInput,
  unknownFields: readonly string[],
  context: UnderstandingContext,
): Understood {
  requireInputBounds(input);
  const engine = context.catalogue.require(input.engine);
  if (engine.status === 'coming_soon') {
    throw new AppError('invalid_request', `engine: "${engine.id}" is coming soon and cannot be used yet.`);
  }
  const bytes = readInput(input, engine, context);
  const { settings, options } = input;
  const scannedHandling = oneOf('scanned_handling', ['skip', 'fallback', 'error'] as const, input.scannedHandling);
  const fallbackEngine = input.fallbackEngine ? findFallbackEngine(input.fallbackEngine, context.catalogue) : null;
  if (scannedHandling === 'fallback' && !fallbackEngine) {
    throw new AppError('invalid_request', 'scanned_handling: `fallback` needs `fallback_engine`.');
  }
  const mode = oneOf('mode', Object.values(Mode), input.mode) ?? 'sync';
  if (input.webhookUrl != null) checkWebhookUrl(input.webhookUrl, mode, context.allowPrivateCidrs);
  const preprocess = oneOf('settings.preprocess', ['auto', 'off'] as const, settings?.preprocess);
  const include = includedParts(input.include);
  const warnings = unknownFieldWarnings(unknownFields);
  const effective: Effective = {
    engine: engine.id,
    inputType: bytes ? 'base64' : 'url',
    url: bytes ? null : (input.input.url ?? null),
    mimeType: input.input.mimeType ?? null,
    language: settings?.language || null,
    languageHints: options?.languageHints?.length ? options.languageHints : null,
    dpi: settings?.dpi ?? null,
    detectTables: settings?.detectTables ?? options?.detectTables ?? false,
    pageRange: settings?.pageRange ?? null,
    pageCount: input.pageCount ?? null,
    native: boundedNative(input.nativeSettings ?? {}),
    fallbackEngine: fallbackEngine?.id ?? null,
    scannedHandling: scannedHandling ?? (fallbackEngine ? 'fallback' : 'skip'),
    scannedHandlingGiven: scannedHandling !== undefined,
    fallback: oneOf('fallback', ['off', 'similar'] as const, input.fallback) ?? 'off',
    mode,
    webhookUrl: input.webhookUrl ?? null,
    outputFormat: oneOf('output_format', Object.values(OutputFormat), input.outputFormat) ?? 'json',
    ...(input.maxCostUsd != null && { maxCost: String(costLimit(input.maxCostUsd)) }),
    ...(preprocess === 'off' && { preprocess }),
    ...(include.length > 0 && { include }),
  };
  requireStorable(effective);
  return {
    effective,
    engine,
    fallbackEngine,
    bytes,
    pages: countPages(effective, engine),
    store: input.store ?? true,
    warnings,
  };
}

const MOST_COST_USD = 1_000_000;

function costLimit(usd: number): bigint {
  if (usd > 0 && usd <= MOST_COST_USD && fromUsd(usd) > 0n) return fromUsd(usd);
  throw new AppError('invalid_request', `max_cost_usd: must be above 0, and at most ${MOST_COST_USD}.`);
}

/** The most that a request may cost; null where its caller has not said. */
export function maxCostOf({ maxCost }: Pick<Effective, 'maxCost'>): NanoUsd | null {
  return maxCost === undefined ? null : BigInt(maxCost);
}

const WARNED_FIELDS = 20;

function unknownFieldWarnings(fields: readonly string[]): string[] {
  const named = fields.slice(0, WARNED_FIELDS).map((field) => field.replace(/[^\x20-\x7e]/g, '?').slice(0, 100));
  const warnings = named.map((field) => `Unknown field ${field} was ignored.`);
  const more = fields.length - named.length;
  return more > 0 ? [...warnings, `${more} more unknown fields were ignored.`] : warnings;
}

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** PostgreSQL stores neither NUL nor half of a surrogate pair; the caller hears it now instead of at the end. */
function requireStorable(effective: Effective): void {
  if (!UNSTORABLE.test(JSON.stringify(effective))) return;
  const [name = ''] = Object.entries(effective).find(([, value]) => UNSTORABLE.test(JSON.stringify(value) ?? '')) ?? [];
  const field = name === 'native' ? 'native_settings' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw new AppError('invalid_request', `${field}: contains a NUL or an incomplete character.`);
}

function readInput(
  input: OcrRequestInput,
  engine: Engine,
  { allowPrivateCidrs, sentDocuments }: UnderstandingContext,
): Buffer | null {
  const { type, url, dataBase64 } = input.input;
  if (type !== 'url' && type !== 'base64') {
    throw new AppError('invalid_request', 'input.type: must be `url` or `base64`.');
  }
  if (!engine.accepts.includes(type)) {
    throw new AppError('invalid_request', `input.type: engine "${engine.id}" does not accept \`${type}\`.`);
  }
  if (type === 'url') {
    if (!url) throw new AppError('invalid_request', 'input.url: is required for type `url`.');
    assertPublicUrl(url, allowPrivateCidrs);
    return null;
  }
  if (dataBase64 === undefined || dataBase64 === null) {
    throw new AppError('invalid_request', 'input.data_base64: is required for type `base64`.');
  }
  const bytes = sentDocuments?.take(dataBase64) ?? decodeBase64(dataBase64);
  if (!bytes) {
    const hint = dataBase64.startsWith('data:') ? ' Send the base64 alone, without the `data:` prefix.' : '';
    throw new AppError('invalid_request', `input.data_base64: is not valid base64.${hint}`);
  }
  return bytes;
}

/** What its name resolves to is checked when it is called. */
function checkWebhookUrl(url: string, mode: Effective['mode'], allowPrivateCidrs: readonly string[]): void {
  if (mode !== 'async') throw new AppError('invalid_request', 'webhook_url: needs `mode` = `async`.');
  assertPublicUrl(url, allowPrivateCidrs, 'webhook_url');
}

function findFallbackEngine(id: string, catalogue: Catalogue): Engine {
  const engine = catalogue.require(id, 'fallback_engine');
  if (engine.status === 'coming_soon') {
    throw new AppError('invalid_request', `fallback_engine: "${id}" is coming soon and cannot be used yet.`);
  }
  return engine;
}

/** The pages a request is billed for; above the engine's maximum it is refused. */
function countPages(effective: Effective, engine: Engine): number {
  requirePageCount(effective.pageCount, engine);
  if (effective.pageRange !== null && !engine.pageRange) {
    throw new AppError('invalid_request', `settings.page_range: engine "${engine.id}" does not support it.`);
  }
  return askedPages(effective, engine.maxPagesPerRequest).length;
}

function oneOf<T extends string>(field: string, known: readonly T[], value: string | null | undefined): T | undefined {
  if (value === undefined || value === null) return undefined;
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) {
    const names = known.map((name) => `\`${name}\``).join(', ');
    throw new AppError('invalid_request', `${field}: must be one of ${names}.`);
  }
  return found;
}
