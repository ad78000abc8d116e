import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { createDatabase } from './cluster.ts';
import { freePorts } from './free-ports.ts';

export interface ProductOptions {
  /** What ENGINES_FILE holds. */
  readonly engines?: readonly EngineEntry[];
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  /** Which entry: everything in one process when not given. */
  readonly role?: 'main' | 'api' | 'worker';
  /** For a process that starts again where it was; free ones when not given. */
  readonly ports?: { readonly api: number; readonly dashboard: number };
}

/** Where a product is, and what it is started with. */
export interface ProductSettings {
  readonly env: Readonly<Record<string, string>>;
  /** Its own, to be removed when it has ended. */
  readonly folder: string;
  readonly url: string;
  readonly dashboardUrl: string;
  readonly databaseUrl: string;
}

export async function productSettings(options: ProductOptions): Promise<ProductSettings> {
  const databaseUrl = options.databaseUrl ?? (await createDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-product-'));
  const enginesFile = join(folder, 'engines.json');
  await writeFile(enginesFile, JSON.stringify({ engines: options.engines ?? [] }));
  const [freePort = 0, otherPort = 0] = await freePorts(2);
  const { api, dashboard } = options.ports ?? { api: freePort, dashboard: otherPort };
  const env: Record<string, string> = {
    ...inherited(),
    HOST: '127.0.0.1',
    PORT: String(api),
    ...(options.role === 'worker' && { WORKER_PORT: String(api) }),
    DASHBOARD_PORT: String(dashboard),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    ENGINES_FILE: enginesFile,
    LOG_LEVEL: 'warn',
    DEMO_ACCOUNT: 'false',
    ...options.env,
  };
  const host = env['HOST']?.includes(':') ? `[${env['HOST']}]` : env['HOST'];
  return {
    env,
    folder,
    url: `http://${host}:${api}`,
    dashboardUrl: `http://${host}:${dashboard}`,
    databaseUrl,
  };
}

/** Nothing of the surroundings but what any program needs, so that a developer's settings do not colour a test. */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'LD_LIBRARY_PATH', 'TZ'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
