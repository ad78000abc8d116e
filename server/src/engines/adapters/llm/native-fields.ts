export interface NativeFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/**
 * Our fields of a request with the caller's native_settings over them: where both have an object its fields are merged,
 * anything else is the caller's. Streaming is not theirs to choose.
 */
export function withNative(
  ours: Readonly<Record<string, unknown>>,
  native: Readonly<Record<string, unknown>>,
): NativeFields {
  const { stream, stream_options, ...theirs } = native;
  const fields: Record<string, unknown> = { ...ours };
  for (const [name, value] of Object.entries(theirs)) {
    const own = fields[name];
    fields[name] = isObject(own) && isObject(value) ? { ...own, ...value } : value;
  }
  return { fields, warnings: stream ? ['native_settings.stream was ignored: the service reads whole answers.'] : [] };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
