import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { FAULT_POINTS, type Fault, STALL } from './fault.ts';
import { localUrl } from './local-url.ts';
import { programEnvOf } from './program-env.ts';
import { addressOrNetwork, network, postgresUrl, redisUrl } from './settings/addresses.ts';
import { type ArchiveConfig, archiveConfig, archiveSettings } from './settings/archive-settings.ts';
import { type KeySource, keySettings, keySourceOf } from './settings/key-settings.ts';
import { missingSettings } from './settings/missing-settings.ts';
import { type OpenIdConfig, openIdConfig, openIdSettings } from './settings/openid-settings.ts';
import { withSecretFiles } from './settings/secret-files.ts';
import { SettingError } from './settings/setting-error.ts';
import { type TracingConfig, tracingConfig, tracingSettings } from './tracing/tracing-settings.ts';

const MB = 1024 * 1024;
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).max(86_400_000).default(fallback);
const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''));

/** The scripts of package.json that run the service. */
const NPM_SCRIPTS = new Set(['start', 'api', 'worker']);

const address = z.url({ protocol: /^https?$/ }).optional();

/** Every setting of the environment, with its default. Times are milliseconds unless the name says otherwise. */
const environment = z.object({
  HOST: z
    .string()
    .refine((host) => URL.canParse(localUrl(host, 1)), 'must be an address of this machine or its name, without a port')
    .default('127.0.0.1')
    .describe('Address the API and the dashboard listen on.'),
  PORT: port(8080).describe('Port of the API.'),
  DASHBOARD_PORT: port(8081).describe('Port of the dashboard origin.'),
  DASHBOARD_URL: address.describe('Public address of the dashboard, where it is not the one that browsers call.'),
  API_URL: address.describe('Public address of the API for the dashboard’s playground; else PORT of the same host.'),
  DOCS_URL: address.describe('Where the site of these pages is served: messages of errors then lead to it.'),
  ...openIdSettings,
  REGISTRATION: z
    .stringbool()
    .default(false)
    .describe('Whether anybody may make an account in the dashboard; with IDP_ISSUER the first login makes it.'),
  TRUSTED_PROXIES: list
    .pipe(z.array(addressOrNetwork))
    .describe('Addresses or networks of proxies whose X-Forwarded-For is believed, comma separated.'),
  ANONYMOUS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .default(1200)
    .describe('Calls a minute without a valid key, by address and process (IPv6: by /64; five times as many by /48).'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and of unpacked language data.'),
  TESSDATA_DIR: z
    .string()
    .optional()
    .describe('Folder with language data (`*.traineddata`) for `tesseract` beside what is installed.'),
  DATABASE_URL: postgresUrl.optional().describe('PostgreSQL to use instead of the embedded one.'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(10).describe('Connections this process may hold.'),
  REPORTS_DATABASE_URL: postgresUrl
    .optional()
    .describe('A streaming replica of the database, from which lists, usage and money are read.'),
  REPORTS_MAX_LAG_MS: milliseconds(30_000).describe('How far it may be behind; beyond, DATABASE_URL is asked.'),
  OUTAGE_LIMIT_MS: milliseconds(900_000).describe(
    'How long a reading that is finished waits for a database that is away.',
  ),
  ...keySettings,
  REDIS_URL: redisUrl.optional().describe('Redis through which several processes tell each other of work.'),
  ENGINES_FILE: z.string().optional().describe('JSON file that adds engines to the built-in ones or overrides them.'),
  ALLOW_PRIVATE_CIDRS: list
    .pipe(z.array(network))
    .describe('Private networks that document URLs and webhooks may reach, comma separated.'),
  MAX_DOCUMENT_MB: z.coerce.number().min(1).max(1000).default(50).describe('Largest document fetched from a URL.'),
  SLOW_RESPONSE_MS: milliseconds(25_000).describe('After this long a JSON answer commits its 202 headers.'),
  SLOW_RESPONSE_BEAT_MS: milliseconds(10_000).describe('Between two spaces written into a committed answer.'),
  ENGINE_LIMIT_MS: milliseconds(180_000).describe('Bound of one engine call.'),
  SYNC_LIMIT_MS: milliseconds(215_000).describe('Bound of a synchronous request in all.'),
  MAX_PAGE_MEGAPIXELS: z.coerce.number().min(1).max(1000).default(100).describe('Largest page that is decoded.'),
  PDF_TIMEOUT_MS: milliseconds(30_000).describe(
    'Bound of one task on a PDF (text, rendering a page) or a picture (decoding). A picture’s is of the processor: on the clock it may take twice as long.',
  ),
  MAX_QUEUED: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .default(10_000)
    .describe(
      'Requests that may wait in all; from 12 on, those of one account a quarter of it, those of one engine a half. More are answered 503.',
    ),
  MAX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(64)
    .optional()
    .describe(
      'Memory of this process above which new documents are answered 503; three quarters of the machine’s by default.',
    ),
  MAX_BODIES_MB: z.coerce
    .number()
    .int()
    .min(48)
    .max(65_536)
    .default(256)
    .describe(
      'Request bodies that are received at once, in all; one account has a quarter. Large ones wait, then 503. As much of answers that are not read yet.',
    ),
  SHUTDOWN_LIMIT_MS: milliseconds(20_000).describe('At a stop: how long what runs may take before it is handed back.'),
  WORKER_PORT: port(0).describe(
    'Port of the probes (`/livez`, `/readyz`, `/metrics`) of `npm run worker`; none when 0.',
  ),
  METRICS_PORT: port(0).describe('Port of its own for `/metrics`, on HOST; it is nowhere else then. None when 0.'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 printable characters without spaces')
    .optional()
    .describe('What `/metrics` asks for: `Authorization: Bearer` with this; nothing when not set.'),
  ...tracingSettings,
  ...archiveSettings,
  CORES: z.coerce.number().int().min(1).max(256).optional().describe('Processor cores to use; all by default.'),
  PROBE_INTERVAL_MS: milliseconds(300_000).describe('Between two health probes of an engine.'),
  ALERTS_INTERVAL_MS: milliseconds(30_000).describe('Between two checks of the alert rules, by one process for all.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('Mail server for alerts: `smtp://user:password@host:587`, or `smtps://`; none: no alerts by e-mail.'),
  ALERTS_FROM: z.email().default('ocr-router@localhost.localdomain').describe('Sender of these messages.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Log level.'),
  LOG_FORMAT: z
    .enum(['pretty', 'json'])
    .optional()
    .describe('`pretty`: a short line for people, `json`: a JSON line; by default pretty on a terminal, else json.'),
  FAULT: z
    .templateLiteral([z.enum([...FAULT_POINTS, STALL]), ':', z.int().min(1)])
    .optional()
    .describe(
      'For tests of recovery: `point:n` ends the process without warning at the n-th passing of that point; `stall:ms` holds its event loop.',
    ),
  DEMO_ACCOUNT: z.stringbool().default(true).describe('Make a demo account with credit on the first start.'),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dashboardPort: number;
  readonly dashboardUrl: URL | null;
  readonly apiUrl: URL | null;
  readonly docsUrl: URL | null;
  /** Null with the embedded identity provider. */
  readonly openId: OpenIdConfig | null;
  readonly registration: boolean;
  readonly trustedProxies: readonly string[];
  readonly anonymousPerMinute: number;
  readonly dataDir: string;
  readonly tessdataDir: string | null;
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  readonly reportsReplica: { readonly url: string; readonly maxLagMs: number } | null;
  readonly outageLimitMs: number;
  /** Where the key is that encrypts stored secrets. */
  readonly secretsKey: KeySource;
  readonly redisUrl: string | null;
  readonly maxQueued: number;
  readonly maxMemoryBytes: number;
  readonly maxBodiesBytes: number;
  readonly shutdownLimitMs: number;
  readonly workerPort: number;
  /** 0: with the probes. */
  readonly metricsPort: number;
  readonly metricsToken: string | null;
  readonly enginesFile: string | null;
  readonly allowPrivateCidrs: readonly string[];
  readonly maxDocumentBytes: number;
  readonly slowResponseMs: number;
  readonly slowResponseBeatMs: number;
  readonly engineLimitMs: number;
  readonly syncLimitMs: number;
  readonly maxPagePixels: number;
  readonly pdfTimeoutMs: number;
  /** Null where no spans are made. */
  readonly tracing: TracingConfig | null;
  /** Null where nothing is archived by itself. */
  readonly archive: ArchiveConfig | null;
  readonly cores: number;
  readonly probeIntervalMs: number;
  readonly alertsIntervalMs: number;
  /** Null without a mail server. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  readonly logLevel: string;
  readonly logFormat: 'pretty' | 'json';
  /** Null outside the tests of recovery. */
  readonly fault: Fault | null;
  readonly demoAccount: boolean;
  /** systemd's name for the stream into its journal; null outside of it. */
  readonly journalStream: string | null;
  /** Whether npm is the parent process (`npm start`): its end is then the end of the service. */
  readonly startedByNpm: boolean;
  /** What other programs get of the environment: how they are found, and no more. */
  readonly programEnv: Readonly<Record<string, string>>;
  /** The environment for the keys that `ENGINES_FILE` names (`api_key_env`) and for the AWS credentials. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
}

/** Reads the environment; throws one error that lists every mistake. Nothing else reads `process.env`. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const e = usableSettings(env);
  return {
    host: e.HOST,
    port: e.PORT,
    dashboardPort: e.DASHBOARD_PORT,
    dashboardUrl: e.DASHBOARD_URL ? new URL(e.DASHBOARD_URL) : null,
    apiUrl: e.API_URL ? new URL(e.API_URL) : null,
    docsUrl: e.DOCS_URL ? new URL(e.DOCS_URL) : null,
    openId: openIdConfig(e),
    registration: e.REGISTRATION,
    trustedProxies: e.TRUSTED_PROXIES,
    anonymousPerMinute: e.ANONYMOUS_PER_MINUTE,
    dataDir: resolve(e.DATA_DIR),
    tessdataDir: e.TESSDATA_DIR === undefined ? null : resolve(e.TESSDATA_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    databasePool: e.DATABASE_POOL,
    reportsReplica:
      e.REPORTS_DATABASE_URL === undefined ? null : { url: e.REPORTS_DATABASE_URL, maxLagMs: e.REPORTS_MAX_LAG_MS },
    outageLimitMs: e.OUTAGE_LIMIT_MS,
    secretsKey: keySourceOf(e, { dataDir: resolve(e.DATA_DIR), databaseUrl: e.DATABASE_URL ?? null }),
    redisUrl: e.REDIS_URL ?? null,
    maxQueued: e.MAX_QUEUED,
    maxMemoryBytes: e.MAX_MEMORY_MB === undefined ? 0.75 * availableMemory() : e.MAX_MEMORY_MB * MB,
    maxBodiesBytes: e.MAX_BODIES_MB * MB,
    shutdownLimitMs: e.SHUTDOWN_LIMIT_MS,
    workerPort: e.WORKER_PORT,
    metricsPort: e.METRICS_PORT,
    metricsToken: e.METRICS_TOKEN ?? null,
    tracing: tracingConfig(e),
    archive: archiveConfig(e),
    enginesFile: e.ENGINES_FILE ? resolve(e.ENGINES_FILE) : null,
    allowPrivateCidrs: e.ALLOW_PRIVATE_CIDRS,
    maxDocumentBytes: Math.floor(e.MAX_DOCUMENT_MB * MB),
    slowResponseMs: e.SLOW_RESPONSE_MS,
    slowResponseBeatMs: e.SLOW_RESPONSE_BEAT_MS,
    engineLimitMs: e.ENGINE_LIMIT_MS,
    syncLimitMs: e.SYNC_LIMIT_MS,
    maxPagePixels: Math.floor(e.MAX_PAGE_MEGAPIXELS * 1e6),
    pdfTimeoutMs: e.PDF_TIMEOUT_MS,
    cores: e.CORES ?? availableParallelism(),
    probeIntervalMs: e.PROBE_INTERVAL_MS,
    alertsIntervalMs: e.ALERTS_INTERVAL_MS,
    mail: e.SMTP_URL === undefined ? null : { smtpUrl: e.SMTP_URL, from: e.ALERTS_FROM },
    logLevel: e.LOG_LEVEL,
    logFormat: e.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
    fault: e.FAULT === undefined ? null : faultOf(e.FAULT),
    demoAccount: e.DEMO_ACCOUNT,
    journalStream: env['JOURNAL_STREAM'] ?? null,
    startedByNpm: NPM_SCRIPTS.has(env['npm_lifecycle_event'] ?? ''),
    programEnv: programEnvOf(env),
    secrets: env,
  };
}

function usableSettings(env: NodeJS.ProcessEnv): z.infer<typeof environment> {
  const { settings, unreadable } = withSecretFiles(env);
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  const mistakes = [...unreadable, ...(error?.issues ?? []).map(mistakeOf), ...missingSettings(given)];
  if (data && mistakes.length === 0) return data;
  throw new SettingError(`The settings are not usable:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`);
}

function mistakeOf(issue: z.core.$ZodIssue): string {
  const isNoNumber = issue.code === 'invalid_type' && issue.expected === 'number';
  return `${issue.path.join('.')}: ${isNoNumber ? 'must be a number, without a unit' : issue.message}`;
}

/** Bytes that this process may use: its container's, where that is less than the machine's. */
function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

function faultOf(text: NonNullable<z.infer<typeof environment>['FAULT']>): Fault {
  const [point, passing] = text.split(':') as [Fault['point'], string]; // as the schema has found it
  return { point, passing: Number(passing) };
}

/** The settings as rows of the README's table. */
export function describeSettings(): { name: string; default: string; description: string }[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? String(fallback.data) : '';
    return { name, default: value, description: schema.description ?? '' };
  });
}
