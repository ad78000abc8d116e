import { readFileSync } from 'node:fs';
import { SettingError } from './setting-error.ts';

/** Settings that are secrets, or hold one. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'IDP_CLIENT_SECRET',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'REDIS_URL',
  'REPORTS_DATABASE_URL',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'SMTP_URL',
] as const;

/**
 * `NAME_FILE` names a file that holds the secret `NAME`, as containers and systemd hand secrets over. `unreadable` has a sentence
 * for each that is given twice, or whose file has none: without it the service would ask for no token, or make a database.
 */
export function withSecretFiles(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly unreadable: readonly string[];
} {
  const settings: Record<string, string | undefined> = { ...env };
  const unreadable: string[] = [];
  for (const name of SECRET_SETTINGS.filter((name) => env[`${name}_FILE`])) {
    try {
      settings[name] = secretOf(env, name);
      if (settings[name] === '') unreadable.push(`${name}_FILE: the file is empty: ${env[`${name}_FILE`]}`);
    } catch (error) {
      unreadable.push((error as SettingError).message); // it throws nothing else
    }
  }
  return { settings, unreadable };
}

/** The secret `name`, or what stands in the file that `NAME_FILE` names. Throws where both are set, or the file cannot be read. */
export function secretOf(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return env[name];
  if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: one of them has to go.`);
  return read(`${name}_FILE`, path);
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`${name}: the file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
