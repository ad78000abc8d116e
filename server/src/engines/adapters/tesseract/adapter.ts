import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import type { Adapter, AdapterTools, AdapterType } from '../../model/adapter-type.ts';
import { countedWarnings } from '../../model/counted-warnings.ts';
import type { Ending, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import { CliRecogniser } from './cli.ts';
import { languagesIn } from './languages/language-data.ts';
import { chooseLanguages } from './languages/languages.ts';
import type { Clean } from './look-again.ts';
import {
  forwardedAs,
  forwardedUnseen,
  type NativeSettings,
  readNativeSettings,
  takenSettings,
} from './native-settings.ts';
import { layoutOf, type Preparation, type PreparedReading, readPrepared } from './prepared-reading.ts';
import { findTesseract } from './program/find-tesseract.ts';
import { AUTOMATIC, type DocumentTurns, newDocumentTurns } from './read-page.ts';
import {
  ESTIMATE_DPI,
  languageVariables,
  type Recogniser,
  RecognitionError,
  type RecognitionTask,
} from './recogniser.ts';
import { WasmRecogniser } from './wasm.ts';
import { whyUnread } from './why-unread.ts';

/** The built-in recogniser: the installed program where there is one, otherwise Tesseract compiled to WebAssembly. */
export const tesseract = makeTesseract();

/** Makes the adapter. `cli: false` leaves an installed program aside. */
export function makeTesseract({ cli = true }: { cli?: boolean } = {}): AdapterType {
  const gates = new WeakMap<AdapterTools, FairSemaphore>();
  return {
    name: 'tesseract',
    local: true,
    readsFiles: true,
    languageFamily: 'three-letter',
    native: 'by the adapter',
    forwards: forwardedUnseen,
    needs: [],
    async open(_engine, tools) {
      // Several engines may use this adapter: together they get the cores once.
      const gate = gates.get(tools) ?? new FairSemaphore(tools.cores);
      gates.set(tools, gate);
      const { dataDir, log, programEnv: env } = tools;
      const given = await languagesIn(tools.tessdataDir ?? null);
      const installed = cli ? await findTesseract({ env }) : null;
      if (installed) return new Tesseract(new CliRecogniser(installed, { dataDir, given, gate, env, log }), tools);
      return new Tesseract(new WasmRecogniser({ dataDir, given, gate, workers: tools.cores }), tools);
    },
  };
}

/** Most time for looking again, unless the settings say otherwise. */
const MOST_LOOK_MS = 45_000;

class Tesseract implements Adapter {
  readonly #recogniser: Recogniser;
  readonly #tools: AdapterTools;
  readonly #closing = new AbortController();
  readonly #turns = new WeakMap<object, DocumentTurns>();
  readonly #readings = new Set<Promise<unknown>>();

  constructor(recogniser: Recogniser, tools: AdapterTools) {
    this.#recogniser = recogniser;
    this.#tools = tools;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    const reading = this.#read(input, settings, AbortSignal.any([signal, this.#closing.signal]));
    this.#readings.add(reading);
    try {
      return await reading;
    } finally {
      this.#readings.delete(reading);
    }
  }

  async #read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    if (input.kind !== 'picture') return this.#answer(failed('tesseract reads pictures, no whole documents.'));
    const native = readNativeSettings(settings.native);
    const { task, wish, warnings } = this.#prepare(input, settings, native);
    try {
      const page = await readPrepared(this.#recogniser, task, this.#preparation(settings, input), signal);
      const taken = takenSettings(native, { unknown: page.unknownVariables, mode: this.#recogniser.modeFor(task.psm) });
      const forwarded = forwardedAs({ ...settings, native: taken }, { languages: task.languages, own: native.lang });
      const wanting = await whyUnread(this.#recogniser, { page, task, wish }, signal);
      if (wanting) return { ...this.#answer({ kind: 'refused', message: wanting }, warnings), forwarded };
      const { text, confidence, steps } = page;
      const layout = settings.positions ? layoutOf(page, input.picture) : null;
      const more = { ...(steps.length > 0 && { steps }), ...(layout && { layout }) };
      const pages = [{ number: input.page, text, confidence, source: 'engine' as const, ...more }];
      return { ...this.#answer(endingOf(text), [...warnings, ...warningsOf(page, task)]), pages, forwarded };
    } catch (error) {
      signal.throwIfAborted();
      this.#tools.log.warn({ err: error }, 'tesseract could not read a page');
      if (!(error instanceof RecognitionError)) return this.#answer(failed('tesseract could not run.'), warnings);
      const { kind, message } = error;
      return this.#answer(kind === 'unreadable' ? { kind, message } : failed(message), warnings);
    }
  }

  #preparation(
    { preprocess, lookMs = MOST_LOOK_MS }: EngineSettings,
    input: EngineInput & { kind: 'picture' },
  ): Preparation {
    const { party, document = {} } = input;
    const turns = this.#turns.get(document) ?? newDocumentTurns();
    this.#turns.set(document, turns);
    const clean: Clean = (picture, radius, signal) => this.#tools.documents.clean(picture, radius, { signal, party });
    return { preprocess: preprocess !== false, clean, lookMs, turns };
  }

  #prepare({ picture }: EngineInput & { kind: 'picture' }, settings: EngineSettings, native: NativeSettings) {
    const wish = native.lang ?? settings.languageNative;
    const { languages, warnings } = chooseLanguages(wish, (code) => this.#recogniser.knows(code));
    const task: RecognitionTask = {
      picture,
      languages,
      psm: native.psm ?? AUTOMATIC,
      dpi: native.dpi ?? crediblyResolved(picture, picture.dpi ?? settings.dpi),
      variables: { ...languageVariables(languages), ...native.variables },
    };
    return { task, wish, warnings: [...native.warnings, ...warnings] };
  }

  #answer(ending: Ending, warnings: readonly string[] = []): Reading {
    const modelVersion = this.#recogniser.version;
    return { ending, pages: [], usage: null, billed: 'no', providerRequestId: null, modelVersion, warnings };
  }

  /** Ends what runs, and frees the warm workers. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('tesseract is closed'));
    await Promise.allSettled(this.#readings);
    await this.#recogniser[Symbol.asyncDispose]();
  }
}

/** Longest side of a sheet that a scanner takes; a longer one has the 72 dpi that programs write by default. */
const LONGEST_SIDE_INCHES = 20;

/**
 * The resolution of a picture, or the one that stands for an estimate where it cannot be true: a wrong resolution mixes up
 * columns where an estimated one does not.
 */
function crediblyResolved({ width, height }: { width: number; height: number }, dpi: number | null): number {
  if (dpi === null || dpi < ESTIMATE_DPI || dpi > 2400) return ESTIMATE_DPI;
  return Math.max(width, height) / dpi > LONGEST_SIDE_INCHES ? ESTIMATE_DPI : Math.round(dpi);
}

function endingOf(text: string): Ending {
  return text.trim() === '' ? { kind: 'empty' } : { kind: 'ok' };
}

function failed(message: string): Ending {
  return { kind: 'failed', message, temporary: false, httpStatus: null };
}

function warningsOf({ turnedBy, unknownVariables }: PreparedReading, { variables }: RecognitionTask): string[] {
  const unknown = unknownVariables.filter((key) => Object.hasOwn(variables, key));
  return [
    ...(turnedBy ? [`The page was turned by ${turnedBy} degrees before reading.`] : []),
    ...countedWarnings(
      unknown.map((key) => `native_settings.${key} was ignored: this version of tesseract does not know it.`),
      (more) => `${more} more variables were ignored: this version of tesseract does not know them.`,
    ),
  ];
}
