import { spawn, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { OcrError, OcrRouter, type ReadOptions } from '@ocr-router/client';

/** A call of a client, in the words of TypeScript. */
interface Call {
  readonly method: 'read' | 'engines';
  readonly source?: string;
  /** As JSON has them, so that what no type allows can be sent, too. */
  readonly options?: Readonly<Record<string, unknown>>;
}

interface Caller {
  readonly url: string;
  readonly apiKey?: string;
}

/** How a call ended: with its result, or with an error. */
interface Ending {
  readonly result?: unknown;
  /** Only the client's own errors have a code. */
  readonly error?: { readonly code: string | null; readonly status: number | null; readonly message: string };
  /** How often it was sent again. */
  readonly retries: number;
  /** What it paused for, in seconds; nobody waits for it. */
  readonly pauses: readonly number[];
}

type Run = (caller: Caller, calls: readonly Call[]) => Promise<Ending[]>;

/** The Python client. */
export const SOURCE = resolve(import.meta.dirname, '../../sdk/python/src');
const PYTHON = spawnSync('python3', ['--version']).status === 0;
if (!PYTHON) console.warn('skipped: the Python client, because there is no python3');

/** Makes calls with the client of each language, one after the other. */
export const LANGUAGES: readonly { readonly language: string; readonly run: Run }[] = [
  { language: 'TypeScript', run: inTypeScript },
  ...(PYTHON ? [{ language: 'Python', run: inPython }] : []),
];

export async function inTypeScript({ url, apiKey = 'sk-ocr-any' }: Caller, calls: readonly Call[]): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (const call of calls) {
    let retries = 0;
    const onRetry = () => {
      retries++;
    };
    const pauses: number[] = [];
    const sleep = async (ms: number) => {
      pauses.push(ms / 1000);
    };
    const client = new OcrRouter({ url, apiKey, onRetry, sleep });
    const ending = await answerOf(client, call).then((result) => ({ result }), failureOf);
    endings.push({ ...ending, retries, pauses });
  }
  return endings;
}

async function answerOf(client: OcrRouter, { method, source = '', options = {} }: Call): Promise<unknown> {
  return method === 'engines' ? client.engines() : client.read(source, options as ReadOptions); // as plain JavaScript may
}

function failureOf(error: unknown): Pick<Ending, 'error'> {
  const { code, status } = error instanceof OcrError ? error : { code: null, status: null };
  return { error: { code, status, message: String((error as Error).message) } };
}

async function inPython({ url, apiKey = 'sk-ocr-any' }: Caller, calls: readonly Call[]): Promise<Ending[]> {
  const child = spawn('python3', ['-B', join(import.meta.dirname, 'run-calls.py'), SOURCE]);
  child.stdin.end(JSON.stringify({ url, apiKey, calls }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (errors) throw new Error(errors);
  return JSON.parse(output) as Ending[];
}
