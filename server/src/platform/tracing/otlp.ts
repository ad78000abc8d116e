import type { ProtobufWriter } from './protobuf-writer.ts';

/** Numbers of the fields of OTLP's messages (opentelemetry-proto, `trace/v1/trace.proto`), which never change. */
export const EXPORT = { resourceSpans: 1 } as const;
export const RESOURCE_SPANS = { resource: 1, scopeSpans: 2 } as const;
export const RESOURCE = { attributes: 1 } as const;
export const SCOPE_SPANS = { scope: 1, spans: 2 } as const;
export const SCOPE = { name: 1 } as const;
export const SPAN = {
  ...{ traceId: 1, spanId: 2, traceState: 3, parentSpanId: 4, name: 5, kind: 6 },
  ...{ startTime: 7, endTime: 8, attributes: 9, status: 15 },
} as const;
export const STATUS = { code: 3 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;
const VALUE = { text: 1, claim: 2, number: 3 } as const;

/** Numbers are whole ones, from 0 on. */
export type AttributeValue = string | number | boolean;

/** Attributes are short by themselves; this bounds what a caller or an engine may name. */
const LONGEST_TEXT = 256;

export function writeAttribute(to: ProtobufWriter, field: number, name: string, value: AttributeValue): void {
  const attribute = to.begin(field);
  to.text(KEY_VALUE.key, name);
  const at = to.begin(KEY_VALUE.value);
  if (typeof value === 'string') to.text(VALUE.text, value.slice(0, LONGEST_TEXT));
  else if (typeof value === 'number') to.number(VALUE.number, value);
  else to.number(VALUE.claim, Number(value));
  to.end(at);
  to.end(attribute);
}
