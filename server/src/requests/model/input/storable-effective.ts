import { isStorable } from '../../../database/storable.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Effective } from '../effective.ts';

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** Fields that stand elsewhere in the body than their name here says. */
const PLACES: Readonly<Record<string, string>> = {
  ...{ url: 'input.url', mimeType: 'input.mime_type', language: 'settings.language', pageRange: 'settings.page_range' },
  ...{ languageHints: 'options.language_hints', native: 'native_settings' },
};

/** PostgreSQL stores neither NUL nor half of a surrogate pair: such a request is refused now instead of failing at its end. */
export function requireStorable(effective: Effective): void {
  if (!UNSTORABLE.test(JSON.stringify(effective))) return; // a hit may also be text that looks so
  const odd = Object.entries(effective).find(([, value]) => !isStorableValue(value));
  if (!odd) return;
  const [name] = odd;
  const field = PLACES[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw new AppError('invalid_request', `${field}: contains a NUL or an incomplete character.`);
}

/** Of any depth: what is native has bounds of its own. */
function isStorableValue(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorableValue(inner));
}
