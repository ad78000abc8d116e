import type { NativeFields } from './llm/native-fields.ts';
import { withNative } from './llm/native-fields.ts';

/**
 * Our fields with the caller's native_settings over them, except those that would put another document in place of the
 * caller's: a server in the operator's network would fetch any address for them.
 */
export function withNativeSettings(
  ours: Readonly<Record<string, unknown>>,
  native: Readonly<Record<string, unknown>>,
  reserved: readonly string[],
): NativeFields {
  const names = Object.keys(native).filter((name) => reserved.includes(name));
  const theirs = Object.fromEntries(Object.entries(native).filter(([name]) => !reserved.includes(name)));
  const { fields, warnings } = withNative(ours, theirs);
  const ignored = names.map((name) => `native_settings.${name} was ignored: the document is the request’s own.`);
  return { fields, warnings: [...ignored, ...warnings] };
}
