import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type SpanContext, SpanKind, TraceFlags } from '@opentelemetry/api';
import { RecordedSpan, type SpanAttributes } from './recorded-span.ts';
import { newSpanId, newTraceId } from './span-ids.ts';

/**
 * The spans of the service. Nothing is recorded, and nothing costs anything, before `openTracing` was called. A span says
 * what was done, how long it took and how it ended; never a text, a message, a key, or the query of a URL.
 */
export interface Tracing {
  /** Takes a span that ends now. */
  record(span: RecordedSpan): void;
  /** Whether a trace that begins here, or comes from another service, is recorded. */
  isInShare(traceId: string): boolean;
  /** What a caller's headers name; undefined where they name no trace. */
  extract(headers: Readonly<Record<string, unknown>>): SpanContext | undefined;
}

let tracing: Tracing | null = null;
const open = new AsyncLocalStorage<Open | undefined>();

/** What goes on here: a span of this process, which is not there where its trace is not recorded, or one that was kept. */
interface Open {
  readonly context: SpanContext;
  readonly span: RecordedSpan | null;
}

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
  if (!tracing || isUnrecorded(parent)) return work(noMatter);
  const opened = begin(tracing, name, kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, parent?.context);
  const { span } = opened;
  if (!span) return open.run(opened, work, noMatter);
  if (attributes) span.annotate(attributes);
  return inRecorded(span, isLeaf ? null : opened, work);
}

/** Notes something that ends now, below the span that is open here. */
export function noteSpan(name: string, from: Date): void {
  const parent = here();
  if (!tracing || isUnrecorded(parent)) return;
  const beganAt = performance.now() - Math.max(0, Date.now() - from.getTime());
  const { span } = begin(tracing, name, SpanKind.INTERNAL, parent?.context, beganAt);
  if (span) tracing.record(span);
}

/** Adds attributes to the span that is open here, and names it anew. */
export function annotateSpan(attributes: SpanAttributes, name?: string): void {
  const span = here()?.span;
  if (!span) return;
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
  const opened = begin(tracing, method, SpanKind.SERVER, parent);
  const { span } = opened;
  if (span) {
    span.annotate({ 'http.request.method': method });
    res.once('close', () => {
      span.annotate({ 'http.response.status_code': res.statusCode });
      if (res.statusCode >= 500) span.isFailed = true;
      if (!res.writableFinished) span.annotate({ 'error.type': 'disconnected' });
      tracing?.record(span);
    });
  }
  open.run(opened, handle);
}

/** The open span as a W3C `traceparent`, to be kept with what goes on elsewhere; null where none is. */
export function openTraceparent(): string | null {
  const opened = here();
  return opened ? traceparentOf(opened.context) : null;
}

/** The id of the trace in a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.split('-')[1] ?? '';
}

/** Goes on where a `traceparent` was kept. With null there is nothing to go on with, whatever is open here. */
export function inTrace<T>(traceparent: string | null, work: () => T): T {
  if (!tracing || traceparent === openTraceparent()) return work();
  return open.run(traceparent === null ? undefined : { context: keptContext(traceparent), span: null }, work);
}

/** The headers by which another service goes on with the open span. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const context = here()?.context;
  if (!context) return NO_HEADERS;
  const tracestate = context.traceState?.serialize();
  return { traceparent: traceparentOf(context), ...(tracestate && { tracestate }) };
}

/** What a line of the log says of the open span; a new object, to which pino adds what else the line says. */
export function traceOfLog(): Record<string, string> {
  const opened = here();
  return opened ? { trace_id: opened.context.traceId } : {};
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

async function inRecorded<T>(span: RecordedSpan, opened: Open | null, work: (annotate: Annotate) => Promise<T>) {
  const annotate = (more: SpanAttributes) => span.annotate(more);
  try {
    return await (opened ? open.run(opened, work, annotate) : work(annotate));
  } catch (error) {
    span.isFailed = true;
    span.annotate({ 'error.type': kindOf(error) });
    throw error;
  } finally {
    tracing?.record(span);
  }
}

function here(): Open | undefined {
  return tracing ? open.getStore() : undefined;
}

function begin(by: Tracing, name: string, kind: SpanKind, parent: SpanContext | undefined, from?: number): Open {
  const traceId = parent?.traceId ?? newTraceId();
  const isSampled =
    parent && !parent.isRemote ? isSet(parent) : (parent === undefined || isSet(parent)) && by.isInShare(traceId);
  const context: SpanContext = {
    traceId,
    spanId: newSpanId(),
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(parent?.traceState && { traceState: parent.traceState }),
  };
  if (!isSampled) return { context, span: null };
  return { context, span: new RecordedSpan(name, { kind, context, parent, from }) };
}

/** Below what is not recorded there is nothing to do. */
function isUnrecorded(parent: Open | undefined): boolean {
  return parent !== undefined && !isSet(parent.context);
}

function isSet({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Of a `traceparent` that `openTraceparent` gave: whether its trace is recorded was decided where it came from. */
function keptContext(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Its code where it has one, as ours and the database's have. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function noMatter(): void {}
