import { AppError } from '../../../platform/errors.ts';

/** Bytes of a request's native_settings as JSON: it is stored with the request, and again with what was applied. */
export const NATIVE_BYTES = 16_384;
/** Objects and lists within each other, the outermost included. */
export const NATIVE_DEPTH = 20;

type Native = Readonly<Record<string, unknown>>;

/**
 * The native_settings when they are within the bounds; throws `invalid_request` otherwise. Everything that walks them
 * later (the fingerprint, JSON, an adapter) recurses, so the depth is measured without recursion, and first.
 */
export function boundedNative(native: Native): Native {
  const waiting: { value: unknown; depth: number }[] = [{ value: native, depth: 1 }];
  let atLeast = 0; // a lower bound of the JSON's length, so that megabytes need not be written to be refused
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    atLeast += typeof value === 'string' ? value.length + 2 : 1;
    if (atLeast > NATIVE_BYTES) throw tooLarge();
    if (typeof value !== 'object' || value === null) continue;
    if (depth > NATIVE_DEPTH) throw tooDeep();
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) atLeast += name.length + 3;
      if (atLeast + waiting.length > NATIVE_BYTES) throw tooLarge();
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  if (Buffer.byteLength(JSON.stringify(native)) > NATIVE_BYTES) throw tooLarge();
  return native;
}

function tooLarge(): AppError {
  return new AppError('invalid_request', 'native_settings: is larger than 16 kB (16,384 bytes of JSON).');
}

function tooDeep(): AppError {
  return new AppError('invalid_request', `native_settings: is nested more than ${NATIVE_DEPTH} deep.`);
}
