import type { Dispatcher } from 'undici';
import type { Documents } from '../../documents/documents.ts';
import type { Log } from '../../log.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../engine.ts';
import type { LanguageFamily } from '../language.ts';
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
  /** Processor cores this process may use. */
  readonly cores: number;
  /** The whole environment of programs that are started: they read hostile files, and get none of our secrets. */
  readonly programEnv: Readonly<Record<string, string>>;
  readonly log: Log;
}

export interface AdapterType {
  /** The name that `ENGINES_FILE` uses. */
  readonly name: string;
  /** Runs on this machine and costs nothing at a provider. */
  readonly local: boolean;
  /** Reads its pictures from files: they are handed over as open ones. */
  readonly readsFiles?: boolean;
  readonly languageFamily: LanguageFamily;
  /** Which native_settings it sends on. */
  readonly native: NativeJudgement;
  /** What is missing from the configuration, in words; null when the engine can run. */
  missing(engine: Pick<Engine, 'baseUrl' | 'apiKey' | 'model' | 'region'>): string | null;
  /** Called once, at the first request that needs it. */
  open(engine: Engine, tools: AdapterTools): Promise<Adapter> | Adapter;
}
