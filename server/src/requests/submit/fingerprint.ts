import { hash } from 'node:crypto';
import { DEFAULT_DPI } from '../../documents/pdf/pdf-draw.ts';
import type { Effective } from '../model/effective.ts';

/** Rises when the canonical form changes; rows of another version replay by their own. */
const FINGERPRINT_VERSION = 1;

/**
 * SHA-256 of the effective request: decoded bytes by their hash, defaults applied, synonyms as one, objects sorted by
 * key. Not in it: `webhook_url`, `input.mime_type` and unknown fields. Fields that requests gained later stand in one
 * element of their own, which is there only where one of them is used, so that older requests keep their fingerprints.
 * `documentHash` is null for a document at a URL. The default dpi is in it where it is spelled out, as in earlier versions, which may
 * run beside this one.
 */
export function fingerprint(effective: Effective, documentHash: string | null): string {
  return withDpi(effective, documentHash, effective.dpi);
}

/** Whether it is the fingerprint of this request, with the default dpi spelled out or not. */
export function isFingerprintOf(print: string, effective: Effective, documentHash: string | null): boolean {
  const isDefault = effective.dpi === null || effective.dpi === DEFAULT_DPI;
  const forms = isDefault ? [null, DEFAULT_DPI] : [effective.dpi];
  return forms.some((dpi) => print === withDpi(effective, documentHash, dpi));
}

function withDpi(effective: Effective, documentHash: string | null, dpi: number | null): string {
  const document = documentHash ?? effective.url;
  const added = additions(effective);
  const canonical = JSON.stringify([
    FINGERPRINT_VERSION,
    effective.engine,
    effective.inputType,
    document,
    effective.language ?? (effective.languageHints ? null : 'en'),
    effective.languageHints,
    dpi,
    effective.detectTables,
    effective.pageRange,
    effective.pageCount ?? (effective.pageRange === null ? 1 : null),
    sorted(effective.native),
    effective.fallbackEngine,
    effective.scannedHandling,
    effective.fallback,
    effective.mode,
    effective.outputFormat,
    ...(Object.keys(added).length > 0 ? [sorted(added)] : []),
  ]);
  return `${FINGERPRINT_VERSION}:${hash('sha256', canonical, 'base64url')}`;
}

/** The fields that requests gained since version 1, where they differ from their default. */
function additions({ include, preprocess }: Effective): Record<string, unknown> {
  return { ...(include?.length && { include: [...include].sort() }), ...(preprocess && { preprocess }) };
}

/** The value with the keys of its objects in order; arrays keep theirs. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
