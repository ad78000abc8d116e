import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { Log } from '../../../platform/logging/log.ts';
import { lowerPriority } from '../../../platform/low-priority.ts';
import { type InstalledData, LanguageData, withVertical } from './languages/language-data.ts';
import type { InstalledTesseract } from './program/find-tesseract.ts';
import { withoutName } from './program/without-name.ts';
import { type DetectedScript, type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import { makeRecognition, type Recognition, splitOutput } from './recognition.ts';

/** Runs the installed program: one process for each picture, killed when its signal aborts. */
export class CliRecogniser implements Recogniser {
  readonly version: string;
  readonly #data: LanguageData;
  readonly #gate: FairSemaphore;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: Log;

  /** `env` is the whole environment of the program. */
  constructor(
    installed: InstalledTesseract,
    {
      dataDir,
      given,
      gate,
      env,
      log,
    }: { dataDir: string; given?: InstalledData; gate: FairSemaphore; env: Readonly<Record<string, string>>; log: Log },
  ) {
    this.version = `tesseract ${installed.version}`;
    this.#data = new LanguageData(join(dataDir, 'tessdata'), {
      installed: { languages: installed.languages, dir: installed.dataDir },
      given,
    });
    this.#gate = gate;
    // Its threads slow each other down: four pages at once take four times as long with them.
    this.#env = { ...env, OMP_THREAD_LIMIT: '1' };
    this.#log = log;
  }

  modeFor(psm: number): number {
    return psm;
  }

  knows(code: string): boolean {
    return this.#data.knows(code);
  }

  async recognise(task: RecognitionTask, signal: AbortSignal): Promise<Recognition> {
    const dir = await this.#data.locate(withVertical(neededData(task), (code) => this.#data.knows(code)));
    using _permit = await this.#gate.acquire(signal);
    const { code, stdout, stderr } = await this.#run(task.picture, argumentsFor(task, dir), signal);
    if (code === 0) {
      const { text, rows } = splitOutput(stdout);
      return makeRecognition(
        text,
        rows,
        [...stderr.matchAll(/Could not set option: (\w+)=/g)].map(([, key]) => `${key}`),
      );
    }
    this.#log.warn({ exitCode: code, stderr: withoutSettings(stderr).slice(-500) }, 'tesseract failed');
    if (/cannot be read|Error during processing|Image too (small|large)/i.test(stderr)) {
      throw new RecognitionError('unreadable', 'tesseract could not open the picture.');
    }
    throw new RecognitionError('failed', `tesseract stopped with exit code ${code}.`);
  }

  async detectScript(picture: RecognitionTask['picture'], signal: AbortSignal): Promise<DetectedScript | null> {
    const dir = await this.#data.locate(['osd']);
    using _permit = await this.#gate.acquire(signal);
    const args = [PICTURE, 'stdout', '-l', 'osd', '--psm', '0', ...(dir === null ? [] : ['--tessdata-dir', dir])];
    const { stdout } = await this.#run(picture, args, signal);
    const [, name] = /^Script: (\w+)/m.exec(stdout) ?? [];
    const [, confidence] = /^Script confidence: ([\d.]+)/m.exec(stdout) ?? [];
    return name === undefined ? null : { name, confidence: Number(confidence) || 0 };
  }

  async #run(picture: RecognitionTask['picture'], args: string[], signal: AbortSignal): Promise<Outcome> {
    const env = this.#env;
    if (picture.file) return run(args, { picture: picture.file.fd, env, signal });
    const { bytes } = picture;
    if (!isEncodedPicture(bytes)) throw new RecognitionError('unreadable', 'This is no picture that can be read.');
    await using file = await withoutName(bytes);
    return await run(args, { picture: file.fd, env, signal }); // before the file is closed: what is rejected meanwhile would be nobody’s
  }

  /** Nothing stays open between pictures. */
  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Whether the bytes are an encoded picture: the program would take anything else for a list of files to open. */
function isEncodedPicture(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 4).toString('latin1');
  return ['\x89PNG', 'II*\0', 'MM\0*'].includes(start) || start.startsWith('\xff\xd8\xff');
}

/** The data that a task needs: modes 1 and 12 detect the orientation themselves. */
function neededData({ languages, psm }: RecognitionTask): string[] {
  return psm === 1 || psm === 12 ? [...languages, 'osd'] : [...languages];
}

/** Arguments for one pass that gives both the text, laid out by the program itself, and the table with the words' confidence. */
function argumentsFor(task: Omit<RecognitionTask, 'picture'>, dir: string | null): string[] {
  const variables = { tessedit_create_txt: '1', tessedit_create_tsv: '1', ...task.variables };
  return [
    ...[PICTURE, 'stdout', '-l', task.languages.join('+'), '--psm', String(task.psm), '--dpi', String(task.dpi)],
    ...(dir === null ? [] : ['--tessdata-dir', dir]),
    ...Object.entries(variables).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}

interface RunOptions {
  /** The descriptor that the picture is open at. */
  readonly picture: number;
  readonly env: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program. Settles when the process has ended, so that the next one for its slot never runs beside it. */
function run(args: string[], { signal, ...options }: RunOptions & { signal: AbortSignal }): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = start(args, options);
    lowerPriority(child);
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-10_000);
    });
    child.on('error', (cause) => {
      signal.removeEventListener('abort', kill);
      reject(new RecognitionError('failed', 'tesseract could not be started.', { cause }));
    });
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? killedBy ?? 'unknown', stdout: Buffer.concat(stdout).toString(), stderr });
    });
  });
}

const PROGRAM = 'tesseract';
/**
 * The name of the picture for the program, which reads a file some 25 ms a MB faster than its standard input. Windows has no such
 * name.
 */
const PICTURE = process.platform === 'win32' ? 'stdin' : '/dev/fd/3';

function start(args: string[], { picture, env }: RunOptions): ChildProcess {
  if (process.platform === 'win32') {
    return spawn(PROGRAM, args, { env, windowsHide: true, stdio: [picture, 'pipe', 'pipe'] });
  }
  return spawn(PROGRAM, args, { env, stdio: ['ignore', 'pipe', 'pipe', picture] });
}

/** The program's errors without settings that it does not take: it repeats them with a caller's values. */
function withoutSettings(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !/could not set option|parameter not found/i.test(line));
  return lines.join('\n');
}
