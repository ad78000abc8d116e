/** A span of OTLP, as its JSON has it. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState?: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code: number };
}

export interface OtlpExport {
  /** Of the resource. */
  readonly resource: OtlpSpan['attributes'];
  readonly spans: readonly OtlpSpan[];
}

/** An export as OTLP over HTTP has it in protobuf (opentelemetry-proto, `trace/v1/trace.proto`); throws where it is none. */
export function readOtlp(bytes: Buffer): OtlpExport[] {
  return read(bytes)
    .get(1)
    .map((each) => {
      const { get } = read(each);
      const spans = get(2).flatMap((scope) => read(scope).get(2).map(spanOf));
      return { resource: get(1).flatMap((resource) => read(resource).get(1).map(attributeOf)), spans };
    });
}

function spanOf(bytes: Buffer): OtlpSpan {
  const { hex, text, number, time, get } = read(bytes);
  const [parentSpanId, traceState, status] = [hex(4), text(3), get(15)[0]];
  return {
    ...{ traceId: hex(1) ?? '', spanId: hex(2) ?? '', name: text(5) ?? '', kind: number(6) ?? 0 },
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(traceState !== undefined && { traceState }),
    ...{ startTimeUnixNano: time(7), endTimeUnixNano: time(8), attributes: get(9).map(attributeOf) },
    status: { code: status ? (read(status).number(3) ?? 0) : 0 },
  };
}

function attributeOf(bytes: Buffer): OtlpSpan['attributes'][number] {
  const { text, get } = read(bytes);
  const value = read(get(2)[0] ?? Buffer.alloc(0));
  const [stringValue, boolValue, intValue] = [value.text(1), value.number(2), value.number(3)];
  if (stringValue !== undefined) return { key: text(1) ?? '', value: { stringValue } };
  return { key: text(1) ?? '', value: boolValue === undefined ? { intValue } : { boolValue: boolValue === 1 } };
}

/** The fields of a message: by its number, each has what stands in it, in order. */
function read(bytes: Buffer) {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('a field is longer than its message');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type !== 0 && type !== 1 && type !== 2) throw new RangeError(`field ${field} is of type ${type}`);
    const value = type === 0 ? varint() : take(type === 1 ? 8 : varint());
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  const get = (field: number) => (fields.get(field) ?? []).filter((value) => typeof value !== 'number');
  return {
    get,
    number: (field: number) => (fields.get(field) ?? []).findLast((value) => typeof value === 'number'),
    text: (field: number) => get(field).at(-1)?.toString(),
    hex: (field: number) => get(field).at(-1)?.toString('hex'),
    time: (field: number) => String(get(field).at(-1)?.readBigUInt64LE() ?? 0n),
  };
}
