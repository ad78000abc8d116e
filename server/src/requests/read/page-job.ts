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
  readonly positions: Pick<PositionTurns, 'beforePlacing'>;
}

/** One page that is to be read with one engine. */
export interface PageJob {
  readonly document: OpenDocument;
  readonly engine: Engine;
  readonly number: number;
  readonly settings: EngineSettings;
  /** Whether the request asks for its pages: what is known of each is kept. */
  readonly keepsLayout: boolean;
  readonly requestId: string;
  /** Whose page it is: accounts take turns at an engine. */
  readonly party: string;
  /** Nobody waits: calls wait for an engine that is left alone for a while. */
  readonly patient: boolean;
  /** Where the caller has set a limit of cost. */
  readonly cap?: CostCap | null;
  readonly phases: Phases;
  readonly signal: AbortSignal;
}

/** Pages of a document that are to be read with one engine. */
export interface PagesJob extends Omit<PageJob, 'number'> {
  readonly pages: readonly number[];
}
