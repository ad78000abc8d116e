import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built command of operators. */
export const ADMIN = fileURLToPath(new URL('../../server/dist/admin/main.js', import.meta.url));

export interface CommandAnswer<T> {
  /** 0 when all went well. */
  readonly exitCode: number | null;
  /** The JSON object that it printed. */
  readonly body: T;
  /** The message of a refusal; empty without one. */
  readonly message: string;
}

/** Runs an admin command of the built product in a process of its own, as an operator does; `input` is its standard input. */
export async function adminCommand<T = Record<string, unknown>>(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandAnswer<T>> {
  const child = spawn(process.execPath, [ADMIN, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  child.stdin.on('error', () => undefined); // it may end before it reads
  child.stdin.end(input);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const body = JSON.parse(text) as T & { error?: { message: string } }; // a command prints one JSON object
  return { exitCode, body, message: body.error?.message ?? '' };
}
