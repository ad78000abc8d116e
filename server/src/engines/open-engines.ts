import type { Connections } from '../database/connections.ts';
import type { Documents } from '../documents/documents.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Slice } from '../platform/slice.ts';
import { providerAgent } from './adapters/http/provider-agent.ts';
import { AnnouncedEngines } from './announced-engines.ts';
import { Availability } from './availability.ts';
import { BUILT_IN } from './built-in.ts';
import type { Catalogue } from './catalogue.ts';
import { EngineRunner, type OnCall, type OnWords } from './engine-runner.ts';
import { EnginesResolver } from './engines.resolver.ts';
import { mergeEntries, readEnginesFile } from './engines-file.ts';
import { makeCatalogue } from './make-catalogue.ts';

/** The engines that are built in, as ENGINES_FILE changes and extends them. */
export function readCatalogue(config: Config): Catalogue {
  const own = config.enginesFile ? readEnginesFile(config.enginesFile) : { engines: [] };
  return makeCatalogue(mergeEntries(BUILT_IN, own), config);
}

export interface EnginesDeps {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly documents: Documents;
  /** Hears of each call that has ended, with its time in milliseconds. */
  readonly onCall: OnCall;
  /** Hears what providers say of calls that failed by the gateway's own configuration. */
  readonly onWords: OnWords;
  readonly log: Log;
}

export interface OpenedEngines extends Slice, AsyncDisposable {
  readonly engines: EngineRunner;
  readonly availability: Availability;
}

export async function openEngines(config: Config, deps: EnginesDeps): Promise<OpenedEngines> {
  const { catalogue, connections, documents, onCall, onWords, log } = deps;
  await using stack = new AsyncDisposableStack();
  const http = stack.adopt(providerAgent(), (agent) => agent.destroy());
  const { dataDir, tessdataDir, cores, programEnv } = config;
  const engines = stack.use(
    new EngineRunner(catalogue, { http, documents, dataDir, tessdataDir, cores, programEnv, log }, { onCall, onWords }),
  );
  const announced = stack.use(new AnnouncedEngines(connections.background, catalogue));
  const availability = stack.use(new Availability(connections.hot, (engine) => engines.isResting(engine)));
  await Promise.all([announced.start(), availability.start()]);
  const opened = stack.move();
  return {
    engines,
    availability,
    resolvers: [new EnginesResolver(catalogue, availability)],
    jobs: [],
    workerJobs: [],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
