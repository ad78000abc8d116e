import { isStorable } from '../database/storable.ts';

/**
 * Arguments with U+FFFD for each character that PostgreSQL cannot store, in texts at any depth. Where there is none the same
 * object is answered: texts are looked through once, and nothing is copied.
 */
export function replaceOddCharacters(given: Record<string, unknown>): Record<string, unknown> {
  let changed: Record<string, unknown> | null = null;
  for (const name in given) {
    const value = given[name];
    const storable = replaced(value);
    if (storable === value) continue;
    changed ??= { ...given };
    changed[name] = storable;
  }
  return changed ?? given;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : value.replaceAll('\0', '\ufffd').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(replaced);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  // A value that a scalar has made (a date) is no input object.
  const prototype = Object.getPrototypeOf(value);
  const isInput = prototype === null || prototype === Object.prototype;
  return isInput ? replaceOddCharacters(value as Record<string, unknown>) : value;
}
