import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsed } from '../core/input.ts';
import { PROFILE } from '../core/profiles/profile-input.ts';
import type { FixedProfile } from '../core/profiles/profile-store.ts';

export interface WebSettings {
  readonly port: number;
  readonly folder: string;
  readonly fixedProfile: FixedProfile | null;
}

const HERE = 'http://127.0.0.1:8080';

/** `--port` and the environment; throws what is wrong with them, as a sentence. */
export function webSettings(args: readonly string[], env: NodeJS.ProcessEnv): WebSettings {
  const { values } = parseArgs({ args: [...args], options: { port: { type: 'string', default: '0' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be a number up to 65535.');
  return { port, folder: env['OCR_ROUTER_CONSOLE_DIR'] ?? ownFolder(env), fixedProfile: fixedProfile(env) };
}

function ownFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'ocr-router-console');
}

/** The gateway that the environment names: its token stays in this process. */
function fixedProfile(env: NodeJS.ProcessEnv): FixedProfile | null {
  const { OCR_ROUTER_URL: url, OCR_ROUTER_TOKEN: token } = env;
  if (!url && !token) return null;
  const wish = { name: 'From the environment', colour: '#577cd2', readOnly: false, production: false };
  const { token: checked = '', ...profile } = parsed(PROFILE, {
    ...wish,
    url: url || HERE,
    ...(token && { token }),
  });
  return { profile: { ...profile, id: 'environment', fixed: true, hasToken: checked !== '' }, token: checked };
}
