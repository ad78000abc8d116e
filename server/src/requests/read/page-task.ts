import type { Documents } from '../../documents/documents.ts';
import type { EngineRunner } from '../../engines/engine-runner.ts';
import type { Engine, EngineSettings } from '../../engines/model/engine.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { Phases } from '../times/phases.ts';
import type { CostCap } from './cost-cap.ts';
import type { OpenDocument } from './open-document.ts';

export interface Readers {
  readonly documents: Documents;
  readonly engines: EngineRunner;
  readonly positions: Pick<PositionTurns, 'beforeLocating'>;
}

/** One page to read with one engine, and how. */
export interface PageTask {
  readonly document: OpenDocument;
  readonly engine: Engine;
  readonly number: number;
  readonly settings: EngineSettings;
  /** Whether the request asks for its pages: then the layout of each is kept. */
  readonly keepsLayout: boolean;
  readonly requestId: string;
  /** The id of the account: accounts take turns at an engine. */
  readonly party: string;
  /** True where no caller waits: a call then waits until the engine's circuit breaker closes, instead of failing. */
  readonly patient: boolean;
  /** The caller's `max_cost_usd`; absent without one. */
  readonly cap?: CostCap | null;
  readonly phases: Phases;
  readonly signal: AbortSignal;
}

/** Pages of a document to read with one engine, and how. */
export interface PagesTask extends Omit<PageTask, 'number'> {
  readonly pages: readonly number[];
}
