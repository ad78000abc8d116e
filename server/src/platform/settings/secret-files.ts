import { readFileSync } from 'node:fs';
import { SettingError } from './setting-error.ts';

/** Settings that are secrets, or hold one. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'IDP_CLIENT_SECRET',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'REDIS_URL',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'SMTP_URL',
] as const;

/** `NAME_FILE` names a file that holds the secret `NAME`, as containers and systemd hand secrets over. */
export function withSecretFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const found: Record<string, string> = {};
  for (const name of SECRET_SETTINGS) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: one of them has to go.`);
    found[name] = read(`${name}_FILE`, path);
  }
  return { ...env, ...found };
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`${name}: the file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
