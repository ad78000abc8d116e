import { type SpanKind, SpanStatusCode, type TraceState } from '@opentelemetry/api';
import { type AttributeValue, SPAN, STATUS, writeAttribute } from './otlp.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { SpanId } from './span-ids.ts';

export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Where something stands in a trace: which one, below which span, and whether it is recorded. */
export interface TracePlace {
  readonly traceId: SpanId;
  readonly spanId: SpanId;
  readonly isRecorded: boolean;
  readonly traceState: TraceState | undefined;
}

interface SpanBeginning {
  readonly kind: SpanKind;
  readonly traceId: SpanId;
  /** Undefined for the first of its trace. */
  readonly parent: TracePlace | undefined;
  /** By `performance.now()`; now unless given. */
  readonly from?: number | undefined;
}

/** The clock of the machine may be set while the service runs. */
const CLOCK_MS = 1000;

/** A span while it is open: a few numbers and names, which are written down once it ends. */
export class RecordedSpan implements TracePlace {
  readonly traceId: SpanId;
  readonly spanId = SpanId.ofSpan();
  readonly isRecorded = true;
  readonly traceState: TraceState | undefined;
  name: string;
  isFailed = false;
  readonly #kind: SpanKind;
  readonly #parentId: SpanId | null;
  readonly #attributes: Record<string, AttributeValue> = {};
  /** By `performance.now()`. */
  readonly #from: number;
  /** What added to it is the time of day: the same at both ends, however the clock is set between them. */
  readonly #origin: number;

  constructor(name: string, { kind, traceId, parent, from }: SpanBeginning) {
    const now = performance.now();
    this.name = name;
    this.traceId = traceId;
    this.traceState = parent?.traceState;
    this.#kind = kind;
    this.#parentId = parent?.spanId ?? null;
    this.#from = from ?? now;
    this.#origin = originAt(now);
  }

  annotate(attributes: SpanAttributes): void {
    for (const name in attributes) {
      const value = attributes[name];
      if (value !== undefined) this.#attributes[name] = value;
    }
  }

  /** Writes it as a field of what is being written, as one that ends now. */
  write(to: ProtobufWriter, field: number): void {
    const at = to.begin(field);
    writeId(to, SPAN.traceId, this.traceId);
    writeId(to, SPAN.spanId, this.spanId);
    if (this.traceState) to.text(SPAN.traceState, this.traceState.serialize());
    if (this.#parentId) writeId(to, SPAN.parentSpanId, this.#parentId);
    to.text(SPAN.name, this.name);
    to.number(SPAN.kind, this.#kind + 1); // OTLP counts from 1: its 0 is one that is not known
    to.nanoseconds(SPAN.startTime, Math.floor((this.#origin + this.#from) * 1000));
    to.nanoseconds(SPAN.endTime, Math.floor((this.#origin + performance.now()) * 1000));
    for (const name in this.#attributes) writeAttribute(to, SPAN.attributes, name, this.#attributes[name] ?? '');
    if (this.isFailed) {
      const status = to.begin(SPAN.status);
      to.number(STATUS.code, SpanStatusCode.ERROR);
      to.end(status);
    }
    to.end(at);
  }
}

function writeId(to: ProtobufWriter, field: number, id: SpanId): void {
  to.copy(field, id.bytes, id);
}

let origin = 0;
let setAt = Number.NEGATIVE_INFINITY;

/** In milliseconds. Spans that begin within a second have one clock, so that those of a trace keep their order. */
function originAt(now: number): number {
  if (now - setAt > CLOCK_MS) {
    origin = Date.now() - now;
    setAt = now;
  }
  return origin;
}
