import type { Dispatcher } from 'undici';
import type { Documents } from '../../documents/documents.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { LanguageFamily } from '../language/language.ts';
import type { Engine, EngineInput, EngineSettings, Forwarded, Reading } from './engine.ts';
import type { NativeJudgement } from './native-rules.ts';

export interface Adapter {
  /** Reads; the signal aborts the work for good (a child process is killed, a connection closed). */
  read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading>;
  /** Frees what the adapter holds open. */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** What an adapter may use; nothing of the web framework. */
export interface AdapterTools {
  readonly http: Dispatcher;
  readonly documents: Documents;
  /** A folder for files the adapter keeps between starts (language data). */
  readonly dataDir: string;
  /** A folder of the operator's with language data for Tesseract. */
  readonly tessdataDir?: string | null;
  /** Processor cores this process may use. */
  readonly cores: number;
  /** The whole environment of programs that are started: they read hostile files, and get none of our secrets. */
  readonly programEnv: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** The settings of an engine that say where it is and how it is asked. */
export type Connection = Pick<Engine, 'baseUrl' | 'apiKey' | 'model' | 'region'>;

export interface AdapterType {
  /** The name that `ENGINES_FILE` uses. */
  readonly name: string;
  /** Runs on this machine and costs nothing at a provider. */
  readonly local: boolean;
  /** Reads its pictures from files: they are handed over as open ones. */
  readonly readsFiles?: boolean;
  /** Reads the text that a PDF carries, no pictures: what becomes of scanned pages is up to `scanned_handling`. */
  readonly readsTextLayer?: boolean;
  /** Reads all pages of a PDF that it is sent, since it has no parameter for them: it is sent those that are asked for alone. */
  readonly readsAllPages?: boolean;
  /** Writes its text, as a language model does, instead of recognising it: what is odd about it goes into the metadata. */
  readonly writesText?: boolean;
  /** The most tokens that its model may write for a page, reasoning included; left out where that is 8192 once the cost of a page is bounded. */
  readonly mostPageTokens?: number;
  readonly languageFamily: LanguageFamily;
  /** Which native_settings it sends on. */
  readonly native: NativeJudgement;
  /**
   * What a call for so many pages tells the engine of the settings, as far as that is known before it; left out where it
   * tells all of them as they are. The call itself is made of the same.
   */
  forwards?(settings: EngineSettings, pages: number): Forwarded;
  /** The settings without which it cannot run. */
  readonly needs: readonly (keyof Connection)[];
  /** What else is wrong with its settings, in words; null when it can run. Asked when nothing that it needs is missing. */
  problem?(connection: Connection): string | null;
  /** Called once, at the first request that needs it. */
  open(engine: Engine, tools: AdapterTools): Promise<Adapter> | Adapter;
}
