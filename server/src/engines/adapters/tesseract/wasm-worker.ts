import { fileURLToPath } from 'node:url';
import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import { type DetectedScript, RecognitionError } from './recogniser.ts';
import { makeRecognition, type Recognition } from './recognition.ts';

/** A thread's entry is this file's neighbour, as source under the tests and as built code otherwise. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './wasm-thread.ts' : './wasm-thread.js', import.meta.url);

/** The mode with the neural network alone; the packed data of languages has nothing else. */
const LSTM_ONLY = 1;
/** The mode for detecting scripts, by the engine before the neural network. */
const LEGACY_ONLY = 0;
const DETECTION = 'osd';

/** A thread of tesseract.js with the data of one set of languages, or of detection, in memory. */
export class WasmWorker {
  readonly languages: string;
  /** Pictures read so far: memory grows with them. */
  pictures = 0;
  readonly #worker: Worker;
  readonly #thread: Thread;
  readonly #broken: Promise<never>;

  private constructor(languages: string, worker: Worker) {
    this.languages = languages;
    this.#worker = worker;
    // The thread is not in the type, but it is what can be listened to and let go of.
    this.#thread = (worker as Worker & { worker: Thread }).worker;
    this.#thread.unref();
    this.#broken = new Promise((_, reject) => {
      this.#thread.once('error', (cause) => reject(new RecognitionError('failed', 'tesseract.js crashed.', { cause })));
      this.#thread.once('exit', () => reject(new RecognitionError('failed', 'tesseract.js stopped.')));
    });
    this.#broken.catch(() => {}); // there may be no reading that waits for it
  }

  /** `dataDir` holds the unpacked data; nothing is fetched. */
  static async start(languages: string, dataDir: string): Promise<WasmWorker> {
    const { createWorker } = (await import('tesseract.js')).default;
    return new Promise((resolve, reject) => {
      const options = {
        workerPath: fileURLToPath(ENTRY),
        langPath: dataDir,
        gzip: false,
        cacheMethod: 'none',
        ...(languages === DETECTION && { legacyCore: true, legacyLang: true }),
        // Without it a bad picture ends the process. Without data the start never settles: this is how it shows.
        errorHandler: (cause: unknown) =>
          reject(new RecognitionError('failed', 'tesseract.js could not be started.', { cause })),
      };
      const quiet = { debug_file: '/dev/null' };
      const mode = languages === DETECTION ? LEGACY_ONLY : LSTM_ONLY;
      createWorker(languages, mode, options, quiet as object).then(
        (worker) => resolve(new WasmWorker(languages, worker)),
        (cause) => reject(new RecognitionError('failed', 'tesseract.js could not be started.', { cause })),
      );
    });
  }

  /** Starts a thread that detects scripts, and reads nothing. */
  static startDetection(dataDir: string): Promise<WasmWorker> {
    return WasmWorker.start(DETECTION, dataDir);
  }

  async recognise(bytes: Buffer, variables: Record<string, string>, signal: AbortSignal): Promise<Recognition> {
    const reading = () => this.#worker.recognize(bytes, variables, { text: true, tsv: true });
    const { data } = await this.#whileAlive(reading, signal);
    this.pictures++;
    return makeRecognition(data.text, (data.tsv ?? '').split('\n'));
  }

  /** Detects the script of a page; null where it has too few letters. */
  async detectScript(bytes: Buffer, signal: AbortSignal): Promise<DetectedScript | null> {
    const { data } = await this.#whileAlive(() => this.#worker.detect(bytes), signal);
    return data.script === null ? null : { name: data.script, confidence: data.script_confidence ?? 0 };
  }

  /** Waits for the work. Rejects once the thread has ended; when the signal aborts, the thread is ended. */
  async #whileAlive<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const end = () => void this.#thread.terminate();
    signal.addEventListener('abort', end, { once: true });
    this.#thread.ref();
    try {
      return await Promise.race([work(), this.#broken]);
    } catch (error) {
      signal.throwIfAborted();
      throw asRecognitionError(error);
    } finally {
      signal.removeEventListener('abort', end);
      this.#thread.unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }
}

/** The error as a `RecognitionError`: tesseract.js rejects with strings. */
function asRecognitionError(error: unknown): RecognitionError {
  if (error instanceof RecognitionError) return error;
  const unreadable = String(error).includes('attempting to read image');
  const message = unreadable ? 'tesseract could not open the picture.' : 'tesseract.js failed.';
  return new RecognitionError(unreadable ? 'unreadable' : 'failed', message, { cause: error });
}
