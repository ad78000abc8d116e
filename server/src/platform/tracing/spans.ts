import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type SpanContext, SpanKind, TraceFlags } from '@opentelemetry/api';
import { RecordedSpan, type SpanAttributes, type TracePlace } from './recorded-span.ts';
import { SpanId } from './span-ids.ts';

/**
 * The spans of the service. Nothing is recorded, and nothing costs anything, before `openTracing` was called. A span says
 * what was done, how long it took and how it ended; never a text, a message, a key, or the query of a URL.
 */
export interface Tracing {
  /** Takes a span that ends now. */
  record(span: RecordedSpan): void;
  /** Whether a trace that begins here, or comes from another service, is recorded. */
  isInShare(traceId: SpanId): boolean;
  /** What a caller's headers name; undefined where they name no trace. */
  extract(headers: Readonly<Record<string, unknown>>): SpanContext | undefined;
}

let tracing: Tracing | null = null;
/** What goes on here: a span of this process, or the place of one that is not recorded, or that was kept. */
const open = new AsyncLocalStorage<TracePlace | undefined>();

/** Null turns it off. */
export function setTracing(by: Tracing | null): void {
  tracing = by;
}

export interface SpanOptions {
  /** `client`: what is called over the network. */
  readonly kind?: 'client';
  readonly attributes?: SpanAttributes;
  /** Nothing is done below it, here or elsewhere: it saves the context that others would find it by. */
  readonly isLeaf?: true;
}

/** Sets attributes of a span while it is open. */
export type Annotate = (attributes: SpanAttributes) => void;

/** Runs `work` in a span of its own below the one that is open here. */
export function inSpan<T>(
  name: string,
  { kind, attributes, isLeaf }: SpanOptions,
  work: (annotate: Annotate) => Promise<T>,
): Promise<T> {
  const parent = here();
  if (!tracing || parent?.isRecorded === false) return work(noMatter);
  const place = begin(tracing, name, kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, parent);
  if (!(place instanceof RecordedSpan)) return open.run(place, work, noMatter);
  if (attributes) place.annotate(attributes);
  return inRecorded(place, isLeaf === true, work);
}

/** Notes something that ends now, below the span that is open here. */
export function noteSpan(name: string, from: Date): void {
  const parent = here();
  if (!tracing || parent?.isRecorded === false) return;
  const beganAt = performance.now() - Math.max(0, Date.now() - from.getTime());
  const place = begin(tracing, name, SpanKind.INTERNAL, parent, beganAt);
  if (place instanceof RecordedSpan) tracing.record(place);
}

/** Adds attributes to the span that is open here, and names it anew. */
export function annotateSpan(attributes: SpanAttributes, name?: string): void {
  const span = here();
  if (!(span instanceof RecordedSpan)) return;
  span.annotate(attributes);
  if (name !== undefined) span.name = name;
}

/** Handles a call in a span that continues the caller's `traceparent`, and ends with the answer. */
export function inCallSpan(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
  if (!tracing) {
    handle();
    return;
  }
  const method = req.method ?? 'GET';
  const { traceparent } = req.headers;
  const parent = traceparent === undefined ? undefined : tracing.extract(req.headers);
  const place = begin(tracing, method, SpanKind.SERVER, parent && inShare(tracing, parent));
  if (place instanceof RecordedSpan) {
    place.annotate({ 'http.request.method': method });
    res.once('close', () => {
      place.annotate({ 'http.response.status_code': res.statusCode });
      if (res.statusCode >= 500) place.isFailed = true;
      if (!res.writableFinished) place.annotate({ 'error.type': 'disconnected' });
      tracing?.record(place);
    });
  }
  open.run(place, handle);
}

/** The open span as a W3C `traceparent`, to be kept with what goes on elsewhere; null where none is. */
export function openTraceparent(): string | null {
  const place = here();
  return place ? traceparentOf(place) : null;
}

/** The id of the trace in a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.split('-')[1] ?? '';
}

/** Goes on where a `traceparent` was kept. With null there is nothing to go on with, whatever is open here. */
export function inTrace<T>(traceparent: string | null, work: () => T): T {
  if (!tracing || traceparent === openTraceparent()) return work();
  return open.run(traceparent === null ? undefined : keptPlace(traceparent), work);
}

/** The headers by which another service goes on with the open span. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const place = here();
  if (!place) return NO_HEADERS;
  const tracestate = place.traceState?.serialize();
  return { traceparent: traceparentOf(place), ...(tracestate && { tracestate }) };
}

/** What a line of the log says of the open span; a new object, to which pino adds what else the line says. */
export function traceOfLog(): Record<string, string> {
  const place = here();
  return place ? { trace_id: place.traceId.digits } : {};
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

async function inRecorded<T>(span: RecordedSpan, isLeaf: boolean, work: (annotate: Annotate) => Promise<T>) {
  const annotate = (more: SpanAttributes) => span.annotate(more);
  try {
    return await (isLeaf ? work(annotate) : open.run(span, work, annotate));
  } catch (error) {
    span.isFailed = true;
    span.annotate({ 'error.type': kindOf(error) });
    throw error;
  } finally {
    tracing?.record(span);
  }
}

function here(): TracePlace | undefined {
  return tracing ? open.getStore() : undefined;
}

/** A span below `parent`, or the first of a trace; only its place where it is not recorded. */
function begin(by: Tracing, name: string, kind: SpanKind, parent: TracePlace | undefined, from?: number): TracePlace {
  const traceId = parent?.traceId ?? SpanId.ofTrace();
  if (parent ? parent.isRecorded : by.isInShare(traceId))
    return new RecordedSpan(name, { kind, traceId, parent, from });
  return { traceId, spanId: SpanId.ofSpan(), isRecorded: false, traceState: parent?.traceState };
}

/** The place that a caller names, which says whether its trace is recorded; how many are is said here. */
function inShare(by: Tracing, { traceId, spanId, traceFlags, traceState }: SpanContext): TracePlace {
  const id = SpanId.from(traceId);
  return { traceId: id, spanId: SpanId.from(spanId), isRecorded: isSet(traceFlags) && by.isInShare(id), traceState };
}

function isSet(traceFlags: number): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Of a `traceparent` that `openTraceparent` gave: whether its trace is recorded was decided where it came from. */
function keptPlace(traceparent: string): TracePlace {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const isRecorded = isSet(Number.parseInt(flags, 16));
  return { traceId: SpanId.from(traceId), spanId: SpanId.from(spanId), isRecorded, traceState: undefined };
}

function traceparentOf({ traceId, spanId, isRecorded }: TracePlace): string {
  return `00-${traceId.digits}-${spanId.digits}-${isRecorded ? '01' : '00'}`;
}

/** Its code where it has one, as ours and the database's have. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function noMatter(): void {}
