import { EXPORT, RESOURCE, RESOURCE_SPANS, SCOPE, SCOPE_SPANS, writeAttribute } from './otlp.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import type { RecordedSpan } from './recorded-span.ts';

/** What a process says of itself, beside its spans. */
export type Origin = Readonly<Record<'service.name' | 'service.version', string>>;

/** Of a text that was cut off at the end of the bytes, a letter may be missing. */
const SLACK_BYTES = 8;

/** Spans of one export, as they will be sent. */
export class SpanBatch {
  readonly #writer: ProtobufWriter;
  readonly #all: number;
  readonly #scoped: number;

  constructor(bytes: Buffer, origin: Origin) {
    const writer = new ProtobufWriter(bytes);
    this.#all = writer.begin(EXPORT.resourceSpans);
    const resource = writer.begin(RESOURCE_SPANS.resource);
    for (const [name, value] of Object.entries(origin)) writeAttribute(writer, RESOURCE.attributes, name, value);
    writer.end(resource);
    this.#scoped = writer.begin(RESOURCE_SPANS.scopeSpans);
    const scope = writer.begin(SCOPE_SPANS.scope);
    writer.text(SCOPE.name, 'ocr-router');
    writer.end(scope);
    this.#writer = writer;
  }

  /** May be used again once it was sent. */
  get bytes(): Buffer {
    return this.#writer.bytes;
  }

  /** Adds a span that ends now, and says whether there was room for it. */
  add(span: RecordedSpan): boolean {
    const writer = this.#writer;
    const { used } = writer;
    span.write(writer, SCOPE_SPANS.spans);
    if (writer.used <= writer.bytes.length - SLACK_BYTES) return true;
    writer.used = used;
    return false;
  }

  /** Everything together; nothing is added afterwards. */
  body(): Buffer {
    this.#writer.end(this.#scoped);
    this.#writer.end(this.#all);
    return this.#writer.bytes.subarray(0, this.#writer.used);
  }
}
