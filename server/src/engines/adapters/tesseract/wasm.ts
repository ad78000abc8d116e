import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { type InstalledData, LanguageData, withVertical } from './languages/language-data.ts';
import type { DetectedScript, Recogniser, RecognitionTask } from './recogniser.ts';
import type { Recognition } from './recognition.ts';
import { WasmWorker } from './wasm-worker.ts';

interface WasmOptions {
  readonly dataDir: string;
  /** Data that the operator gave. */
  readonly given?: InstalledData | undefined;
  readonly gate: FairSemaphore;
  /** Number of threads: as many as the gate has slots. */
  readonly workers: number;
  /** Pictures after which a thread is replaced, because its memory only grows. */
  readonly picturesPerWorker?: number;
  /** Milliseconds after which an idle thread is ended. */
  readonly idleMs?: number;
}

/** Reads with tesseract.js where the program is not installed: with warm threads, never more than the gate has slots. */
export class WasmRecogniser implements Recogniser {
  readonly version = `tesseract.js ${packageVersion()}`;
  readonly #data: LanguageData;
  readonly #gate: FairSemaphore;
  readonly #workers: number;
  readonly #picturesPerWorker: number;
  readonly #idleMs: number;
  readonly #idle = new Map<WasmWorker, NodeJS.Timeout>();
  #busy = 0;

  constructor({ dataDir, given, gate, workers, picturesPerWorker = 50, idleMs = 60_000 }: WasmOptions) {
    this.#data = new LanguageData(join(dataDir, 'tessdata'), given && { given });
    this.#gate = gate;
    this.#workers = workers;
    this.#picturesPerWorker = picturesPerWorker;
    this.#idleMs = idleMs;
  }

  /** The mode that is used for a mode: this build cannot detect the orientation itself. */
  modeFor(psm: number): number {
    return WITHOUT_ORIENTATION[psm] ?? psm;
  }

  knows(code: string): boolean {
    return this.#data.knows(code);
  }

  async recognise(task: RecognitionTask, signal: AbortSignal): Promise<Recognition> {
    using _permit = await this.#gate.acquire(signal);
    this.#busy++;
    try {
      const worker = await this.#take(
        task.languages.join('+'),
        await this.#data.locate(withVertical(task.languages, (code) => this.#data.knows(code))),
      );
      return await this.#recognise(worker, task, signal);
    } finally {
      this.#busy--;
    }
  }

  /** Detects the script of a page. Few pages are asked about, so the thread is not kept. */
  async detectScript({ bytes }: RecognitionTask['picture'], signal: AbortSignal): Promise<DetectedScript | null> {
    using _permit = await this.#gate.acquire(signal);
    this.#busy++;
    try {
      const dir = await this.#data.locate(['osd']);
      await this.#makeRoom();
      await using worker = await WasmWorker.startDetection(dir ?? '');
      return await worker.detectScript(bytes, signal);
    } finally {
      this.#busy--;
    }
  }

  async #recognise(worker: WasmWorker, task: RecognitionTask, signal: AbortSignal): Promise<Recognition> {
    try {
      const recognition = await worker.recognise(task.picture.bytes, this.#variablesFor(task), signal);
      if (worker.pictures < this.#picturesPerWorker) this.#keep(worker);
      else await worker[Symbol.asyncDispose]();
      return recognition;
    } catch (error) {
      await worker[Symbol.asyncDispose](); // after a failure it would keep that picture's variables
      throw error;
    }
  }

  /** The variables of a task, always with a mode: tesseract.js would take every page for one block of text. */
  #variablesFor({ psm, dpi, variables }: RecognitionTask): Record<string, string> {
    return { ...variables, tessedit_pageseg_mode: String(this.modeFor(psm)), user_defined_dpi: String(dpi) };
  }

  /** A warm worker of these languages, or a new one in the place of the one that has been idle longest. */
  async #take(languages: string, dir: string | null): Promise<WasmWorker> {
    for (const worker of this.#idle.keys()) {
      if (worker.languages === languages) return this.#unkeep(worker);
    }
    await this.#makeRoom();
    return WasmWorker.start(languages, dir ?? '');
  }

  async #makeRoom(): Promise<void> {
    const [oldest] = this.#idle.keys();
    if (oldest && this.#idle.size + this.#busy > this.#workers) await this.#unkeep(oldest)[Symbol.asyncDispose]();
  }

  #keep(worker: WasmWorker): void {
    const timer = setTimeout(() => void this.#unkeep(worker)[Symbol.asyncDispose](), this.#idleMs);
    this.#idle.set(worker, timer.unref());
  }

  #unkeep(worker: WasmWorker): WasmWorker {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#idle.keys()].map((worker) => this.#unkeep(worker)[Symbol.asyncDispose]()));
  }
}

/** The modes that detect the orientation, and their counterparts that do not. */
const WITHOUT_ORIENTATION: Readonly<Record<number, number>> = { 1: 3, 12: 11 };

function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('tesseract.js/package.json') as { version: string }; // a JSON file's shape
  return version;
}
