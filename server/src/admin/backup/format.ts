import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';

/**
 * A backup is a tar.gz: `header.json`, then each table's rows as PostgreSQL copies them out (`data/TABLE/000000.copy` and
 * on, pieces of one stream), then `manifest.json`, without which it is not complete.
 */
export const FORMAT = 1;
export const HEADER = 'header.json';
export const MANIFEST = 'manifest.json';

const count = z.number().int().min(0);
const digits = z.string().regex(/^-?\d+$/);

const Header = z.object({
  format: z.literal(FORMAT),
  /** Of the program that made it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** The migrations that its database had had. */
  migrations: z.array(z.string().regex(/^\w+$/)).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  sequences: z.array(z.object({ name: z.string(), last_value: digits, is_called: z.boolean() })),
  in_flight: z.object({ requests: count, deliveries: count }),
});

const Manifest = z.object({
  tables: z.array(z.object({ name: z.string(), rows: count, bytes: count, sha256: z.string().length(64) })),
  ledger: z.array(z.object({ kind: z.string(), transfers: digits, nano_usd: digits })),
});

export type Header = z.infer<typeof Header>;
export type Manifest = z.infer<typeof Manifest>;
export type TableProof = Manifest['tables'][number];

/** A backup that cannot be used, and why. */
export class BackupError extends AppError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('invalid_request', message, {}, options);
  }
}

export function parseHeader(text: string): Header {
  const json = parseJson(text);
  const format = (json as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(`The backup has the format ${format}, and this version knows formats up to ${FORMAT}.`);
  }
  return checked(Header, json, HEADER);
}

export function parseManifest(text: string): Manifest {
  return checked(Manifest, parseJson(text), MANIFEST);
}

function checked<T>(schema: z.ZodType<T>, json: unknown, name: string): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new BackupError(`The backup is damaged: its ${name} is not what it should be.`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
