import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * The spans of the service. Nothing is recorded, and nothing costs anything, before `openTracing` was called. A span says
 * what was done, how long it took and how it ended; never a text, a message, a key, or the query of a URL.
 */
const tracer = trace.getTracer('ocr-router');
let isOn = false;

export function turnTracingOn(): void {
  isOn = true;
}

export interface SpanOptions {
  /** `client`: what is called over the network. */
  readonly kind?: 'client';
  readonly attributes?: Attributes;
}

/** Sets attributes of a span while it is open. */
export type Annotate = (attributes: Attributes) => void;

/** Runs `work` in a span of its own below the one that is open here. */
export async function inSpan<T>(
  name: string,
  { kind, attributes }: SpanOptions,
  work: (annotate: Annotate) => Promise<T>,
): Promise<T> {
  if (!isOn) return work(noMatter);
  const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, ...(attributes && { attributes }) };
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work((more) => span.setAttributes(more));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Notes something that is over already, below the span that is open here. */
export function noteSpan(name: string, from: Date, to: Date): void {
  if (isOn) tracer.startSpan(name, { startTime: from }).end(to);
}

/** Adds attributes to the span that is open here, and names it anew. */
export function annotateSpan(attributes: Attributes, name?: string): void {
  const span = isOn ? trace.getActiveSpan() : undefined;
  span?.setAttributes(attributes);
  if (name !== undefined) span?.updateName(name);
}

/** Handles a call in a span that continues the caller's `traceparent`, and ends with the answer. */
export function inCallSpan(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
  if (!isOn) {
    handle();
    return;
  }
  const parent = propagation.extract(ROOT_CONTEXT, req.headers);
  const method = req.method ?? 'GET';
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  res.once('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode);
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    if (!res.writableFinished) span.setAttribute('error.type', 'disconnected');
    span.end();
  });
  context.with(trace.setSpan(parent, span), handle);
}

/** The open span as a W3C `traceparent`, to be kept with what goes on elsewhere; null where none is. */
export function openTraceparent(): string | null {
  const open = openSpanContext();
  if (!open) return null;
  return `00-${open.traceId}-${open.spanId}-${open.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The id of the trace in a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.split('-')[1] ?? '';
}

/** Goes on where a `traceparent` was kept. With null there is nothing to go on with, whatever is open here. */
export function inTrace<T>(traceparent: string | null, work: () => T): T {
  return isOn ? context.with(contextOf(traceparent), work) : work();
}

/** The headers by which another service goes on with the open span. */
export function traceHeaders(): Readonly<Record<string, string>> {
  if (!isOn) return NO_HEADERS;
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** What a line of the log says of the open span; a new object, to which pino adds what else the line says. */
export function traceOfLog(): Record<string, string> {
  const open = openSpanContext();
  return open ? { trace_id: open.traceId } : {};
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function openSpanContext(): SpanContext | undefined {
  return isOn ? trace.getActiveSpan()?.spanContext() : undefined;
}

function contextOf(traceparent: string | null): Context {
  return traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** Its code where it has one, as ours and the database's have. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function noMatter(): void {}
