import { type Attributes, type HrTime, type SpanContext, type SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

/** What all spans of the process have in common. */
export interface SpanSource {
  readonly resource: ReadableSpan['resource'];
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
}

/** Attributes are short by themselves; this bounds what a caller or an engine may name. */
const LONGEST_ATTRIBUTE = 256;
/** The clock of the machine may be set while the service runs. */
const CLOCK_MS = 1000;
const NONE: never[] = [];
const UNSET = { code: SpanStatusCode.UNSET };
const FAILED = { code: SpanStatusCode.ERROR };

/** A span as exporters read it. While it is open it is a few numbers and names: the rest is made when it is sent. */
export class RecordedSpan implements ReadableSpan {
  name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly attributes: Attributes = {};
  isFailed = false;
  readonly #context: SpanContext;
  readonly #source: SpanSource;
  /** Both by `performance.now()`. */
  readonly #from: number;
  #to: number | null = null;

  constructor(
    name: string,
    { kind, context, parent, from }: SpanOptions & { readonly from?: number },
    source: SpanSource,
  ) {
    this.name = name;
    this.kind = kind;
    if (parent) this.parentSpanContext = parent;
    this.#context = context;
    this.#source = source;
    this.#from = from ?? performance.now();
  }

  annotate(attributes: Attributes): void {
    for (const name in attributes) {
      const value = attributes[name];
      if (value !== undefined)
        this.attributes[name] = typeof value === 'string' ? value.slice(0, LONGEST_ATTRIBUTE) : value;
    }
  }

  end(): void {
    this.#to = performance.now();
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  get startTime(): HrTime {
    return hrTime(timeOfDay(this.#from));
  }

  get endTime(): HrTime {
    return hrTime(timeOfDay(this.#to ?? this.#from));
  }

  get duration(): HrTime {
    return hrTime((this.#to ?? this.#from) - this.#from);
  }

  get ended(): boolean {
    return this.#to !== null;
  }

  get status() {
    return this.isFailed ? FAILED : UNSET;
  }

  get resource() {
    return this.#source.resource;
  }

  get instrumentationScope() {
    return this.#source.instrumentationScope;
  }

  readonly links = NONE;
  readonly events = NONE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
}

interface SpanOptions {
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
}

let origin = 0;
let setAt = Number.NEGATIVE_INFINITY;

/** In milliseconds. What is asked for within a second has one clock, so that spans of a trace keep their order. */
function timeOfDay(ms: number): number {
  const now = performance.now();
  if (now - setAt > CLOCK_MS) {
    origin = Date.now() - now;
    setAt = now;
  }
  return origin + ms;
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}
