import { isObject } from '../../../platform/is-object.ts';
/**
 * The gateway's fields of a request, overridden by the native_settings that pass. Where both have an object, its fields are
 * merged; any other value is the caller's.
 */
export function withNative(
  ours: Readonly<Record<string, unknown>>,
  native: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...ours };
  for (const [name, value] of Object.entries(native)) {
    const own = fields[name];
    fields[name] = isObject(own) && isObject(value) ? withNative(own, value) : value;
  }
  return fields;
}
