import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { killAtExit } from '../test/house/kill-at-exit.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PATIENCE_MS = 5000;

/** A program of the bench in a process of its own. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when it has ended, by itself or not, with its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to end, and does not wait for it. */
  stop(): void;
}

/** Runs `node` with these arguments and returns once it has printed `ready`. */
export async function startChild(...args: string[]): Promise<Child> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  killAtExit(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null); // what `exit` is told
  await ready(child);
  const stop = () => void child.kill('SIGTERM');
  return { ended, stop, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child) };
}

/** Runs `node` with these arguments to its end, and parses the JSON that it printed. */
export async function runJson<Answer>(args: string[], env: Record<string, string> = {}): Promise<Answer> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.slice(0, 3).join(' ')} ended with ${code}: ${printed.slice(0, 1000)}`);
  return JSON.parse(printed) as Answer; // our own programs: the caller names the type that they print
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    child.stdout?.on('data', (chunk: Buffer) => chunk.includes('ready') && done());
    child.once('exit', (code) => failed(new Error(`${child.spawnargs.join(' ')} ended with ${code}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(impatient);
}
