import type { Engine } from '../../engines/model/engine.ts';
import type { EnginePlaces } from './engine-places.ts';
import type { SlowDocuments } from './slow-documents.ts';

/** How long a run keeps its place while its document is fetched: most documents come within this time. */
const KEEP_MS = 500;

/** The place at an engine that a run holds. */
export interface RunPlace {
  /** Gives the place back. To be called when no engine works on the request any more. */
  free(): void;
  /** Waits for a document. Where it takes long, the place is given back meanwhile, and taken again before this resolves. */
  beside<T>(document: Promise<T>, signal: AbortSignal): Promise<T>;
}

/** The place of a run that reads nothing. */
export const NO_PLACE: RunPlace = { free: () => undefined, beside: (document) => document };

interface PlaceOptions {
  readonly engine: Pick<Engine, 'id' | 'concurrency'>;
  readonly accountId: string;
  readonly places: EnginePlaces;
  readonly slow: SlowDocuments;
  /** Called when the place was given back. */
  readonly onFree: () => void;
}

/** A place that was taken from `places` for a run. */
export function runPlace({ engine, accountId, places, slow, onFree }: PlaceOptions): RunPlace {
  let isHeld = true;
  const free = () => {
    if (!isHeld) return;
    isHeld = false;
    places.giveBack(engine.id);
    onFree();
  };
  const comesSoon = async (document: Promise<unknown>) => {
    using kept = slow.keep(engine, accountId);
    return kept !== null && (await isHereWithin(KEEP_MS, document));
  };
  return {
    free,
    beside: async (document, signal) => {
      if (await comesSoon(document)) return document;
      using counted = slow.begin(accountId);
      if (!counted) return document;
      free();
      const come = await document;
      await places.retake(engine, signal);
      isHeld = true;
      return come;
    },
  };
}

async function isHereWithin(ms: number, document: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const here = document.then(
    () => true,
    () => true,
  );
  return Promise.race([here, late.promise]).finally(() => clearTimeout(timer));
}
