import type { Catalogue } from '../../../engines/catalogue.ts';
import type { Engine } from '../../../engines/model/engine.ts';
import { assertWebUrl, requirePublicAddress } from '../../../platform/egress/egress.ts';
import { AppError } from '../../../platform/errors.ts';
import { mostOfUsd } from '../../../platform/money.ts';
import type { Effective } from '../effective.ts';
import { includedParts } from '../include.ts';
import type { OcrRequestInput } from '../ocr-request.input.ts';
import { countPages, requirePages } from '../page-range.ts';
import { Mode, OutputFormat } from '../request-enums.ts';
import { requireInputBounds } from './input-bounds.ts';
import { boundedNative } from './native-bounds.ts';
import { Objections } from './objections.ts';
import { type InputContext, readInput } from './read-input.ts';
import { requireStorable } from './storable-effective.ts';

/** What the body of a request says, independent of the catalogue. */
interface BodyFields {
  readonly effective: Effective;
  /** The decoded document; null for a URL. */
  readonly bytes: Buffer | null;
  /** False where nothing may be kept, even if the account keeps history. */
  readonly store: boolean;
  readonly warnings: readonly string[];
}

/** What follows from today's catalogue. */
interface Resolved {
  readonly engine: Engine;
  readonly fallbackEngine: Engine | null;
  /** Pages that are billed: `page_count`, or the length of the range. */
  readonly pages: number;
}

export interface Interpreted extends BodyFields {
  /** Null where today's catalogue or configuration refuses the request. A request whose key is bound is replayed all the same. */
  readonly resolved: Resolved | null;
  /** The error where `resolved` is null. */
  readonly objection: AppError | null;
}

/** A request with everything that accepting it needs. */
export interface Understood extends BodyFields, Resolved {}

export interface UnderstandingContext extends InputContext {
  readonly catalogue: Catalogue;
}

/** Checks a request and applies the defaults. Throws `invalid_request` naming the field, or `unknown_engine`. */
export function understand(
  input: OcrRequestInput,
  unknownFields: readonly string[],
  context: UnderstandingContext,
): Understood {
  return requireResolved(interpret(input, unknownFields, context));
}

/** Throws the error by which today's catalogue or configuration refuses the request. */
export function requireResolved({ resolved, objection, ...fields }: Interpreted): Understood {
  if (!resolved) throw objection;
  return { ...fields, ...resolved };
}

/**
 * Reads the body of a request and applies the defaults. Throws for a body that is wrong in itself; where the catalogue or the
 * configuration had refused it before that was found, their error is thrown instead.
 */
export function interpret(
  input: OcrRequestInput,
  unknownFields: readonly string[],
  { catalogue, allowPrivateCidrs, sentDocuments }: UnderstandingContext,
): Interpreted {
  const objections = new Objections();
  try {
    return read(input, unknownFields, { catalogue, allowPrivateCidrs, sentDocuments, objections });
  } catch (error) {
    throw objections.first ?? error;
  }
}

interface ReadingContext extends UnderstandingContext {
  readonly objections: Objections;
}

function read(input: OcrRequestInput, unknownFields: readonly string[], context: ReadingContext): Interpreted {
  const { catalogue, objections } = context;
  requireInputBounds(input);
  const engine = objections.check(() => findEngine(input.engine, 'engine', catalogue));
  const bytes = readInput(input.input, engine, context);
  const { effective, fallbackEngine } = readEffective(input, bytes, context);
  requireStorable(effective);
  const pages = engine && objections.check(() => countPages(effective, engine));
  if (objections.first) requirePages(effective);
  return {
    effective,
    bytes,
    store: input.store ?? true,
    warnings: unknownFieldWarnings(unknownFields),
    resolved: engine && pages !== null && !objections.first ? { engine, fallbackEngine, pages } : null,
    objection: objections.first,
  };
}

/** No field of the effective request may depend on the catalogue: its fingerprint is bound to a key for ever. */
function readEffective(
  input: OcrRequestInput,
  bytes: Buffer | null,
  context: ReadingContext,
): { effective: Effective; fallbackEngine: Engine | null } {
  const { settings, options } = input;
  const { scans, fallbackEngine } = readScans(input, context);
  const mode = oneOf('mode', Object.values(Mode), input.mode) ?? 'sync';
  if (input.webhookUrl != null) checkWebhookUrl(input.webhookUrl, mode, context);
  const preprocess = oneOf('settings.preprocess', ['auto', 'off'] as const, settings?.preprocess);
  const include = includedParts(input.include);
  const effective: Effective = {
    engine: input.engine,
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
    ...scans,
    fallback: oneOf('fallback', ['off', 'similar'] as const, input.fallback) ?? 'off',
    mode,
    webhookUrl: input.webhookUrl ?? null,
    outputFormat: oneOf('output_format', Object.values(OutputFormat), input.outputFormat) ?? 'json',
    ...(input.maxCostUsd != null && { maxCost: String(costLimit(input.maxCostUsd)) }),
    ...(preprocess === 'off' && { preprocess }),
    ...(include.length > 0 && { include }),
    ...(input.store === false && { store: false }),
  };
  return { effective, fallbackEngine };
}

type Scans = Pick<Effective, 'fallbackEngine' | 'scannedHandling' | 'scannedHandlingGiven'>;

/** What is to become of scanned pages, and the engine that may read them. */
function readScans(
  { scannedHandling, fallbackEngine: id }: OcrRequestInput,
  { catalogue, objections }: ReadingContext,
): { scans: Scans; fallbackEngine: Engine | null } {
  const given = oneOf('scanned_handling', ['skip', 'fallback', 'error'] as const, scannedHandling);
  const fallbackEngine = id ? objections.check(() => findEngine(id, 'fallback_engine', catalogue)) : null;
  if (given === 'fallback' && !id) {
    throw new AppError('invalid_request', 'scanned_handling: `fallback` needs `fallback_engine`.');
  }
  const usual = id ? 'fallback' : 'skip';
  const scans = {
    fallbackEngine: id || null,
    scannedHandling: given ?? usual,
    scannedHandlingGiven: given !== undefined,
  };
  return { scans, fallbackEngine };
}

/** A nano-dollar. */
const LEAST_COST_USD = 1e-9;
const MOST_COST_USD = 1_000_000;

function costLimit(usd: number): bigint {
  if (usd >= LEAST_COST_USD && usd <= MOST_COST_USD) return mostOfUsd(usd);
  throw new AppError('invalid_request', `max_cost_usd: must be at least 0.000000001, and at most ${MOST_COST_USD}.`);
}

const WARNED_FIELDS = 20;

function unknownFieldWarnings(fields: readonly string[]): string[] {
  const named = fields.slice(0, WARNED_FIELDS).map((field) => field.replace(/[^\x20-\x7e]/g, '?').slice(0, 100));
  const warnings = named.map((field) => `Unknown field ${field} was ignored.`);
  const more = fields.length - named.length;
  return more > 0 ? [...warnings, `${more} more unknown fields were ignored.`] : warnings;
}

/** The addresses that its name resolves to are checked when it is called. */
function checkWebhookUrl(url: string, mode: Mode, { allowPrivateCidrs, objections }: ReadingContext): void {
  if (mode !== 'async') throw new AppError('invalid_request', 'webhook_url: needs `mode` = `async`.');
  const address = assertWebUrl(url, 'webhook_url');
  objections.check(() => requirePublicAddress(address, allowPrivateCidrs, 'webhook_url'));
}

function findEngine(id: string, field: 'engine' | 'fallback_engine', catalogue: Catalogue): Engine {
  const engine = catalogue.require(id, field);
  if (engine.status === 'coming_soon') {
    throw new AppError('invalid_request', `${field}: "${id}" is coming soon and cannot be used yet.`);
  }
  return engine;
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
