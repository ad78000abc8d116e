import { request } from 'undici';
import { type Pool, query } from '../database/pool.ts';
import type { Documents } from '../documents/documents.ts';
import type { Availability } from '../engines/availability.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { adapterOf } from '../engines/catalogue.ts';
import type { Engine, EngineInput, EngineSettings } from '../engines/engine.ts';
import type { EngineRoom } from '../engines/engine-room.ts';
import { mapLanguage } from '../engines/language.ts';
import type { Log } from '../log.ts';
import { PROBE_PDF, PROBE_PICTURE, PROBE_WORD } from './probe-documents.ts';

const LIMIT_MS = 60_000;
const FIRST_AFTER_MS = 1000;
/** Failures in a row after which an engine takes no requests. */
const UNHEALTHY_AFTER = 2;

const RECORD = {
  name: 'probe-record',
  text: 'insert into engine_check (engine, healthy, latency_ms, detail) values ($1, $2, $3, $4)',
};

type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'unknown';

export interface Health {
  readonly status: HealthStatus;
  readonly detail: string | null;
}

interface Check {
  readonly healthy: boolean;
  readonly latencyMs: number;
  readonly detail: string | null;
}

export interface ProberDeps {
  readonly pool: Pool;
  readonly catalogue: Catalogue;
  readonly availability: Availability;
  readonly engines: EngineRoom;
  readonly documents: Documents;
  readonly intervalMs: number;
  readonly log: Log;
}

/** Asks engines, at intervals, to read a picture with a known word, and records what came back. */
export class Prober implements AsyncDisposable {
  readonly #deps: ProberDeps;
  readonly #failures = new Map<string, number>();
  readonly #health = new Map<string, Health>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(deps: ProberDeps) {
    this.#deps = deps;
  }

  /** The engines that are probed. */
  get probed(): Engine[] {
    return this.#deps.catalogue.engines.filter((engine) => engine.probe && engine.status === 'available');
  }

  health(engineId: string): Health {
    return this.#health.get(engineId) ?? { status: 'unknown', detail: null };
  }

  start(): void {
    this.#schedule(FIRST_AFTER_MS);
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#probeAll().catch((error) => this.#deps.log.warn({ err: error }, 'probing failed'));
      void this.#round.then(() => this.#stop.signal.aborted || this.#schedule(this.#deps.intervalMs));
    }, delayMs).unref();
  }

  async #probeAll(): Promise<void> {
    for (const engine of this.probed) {
      if (this.#stop.signal.aborted) return;
      if (this.#deps.availability.obstacle(engine) !== 'disabled') await this.probe(engine);
    }
  }

  /** One check of one engine, recorded. */
  async probe(engine: Engine): Promise<Health> {
    const check = await this.#check(engine);
    if (this.#stop.signal.aborted) return this.health(engine.id);
    const failures = check.healthy ? 0 : (this.#failures.get(engine.id) ?? 0) + 1;
    this.#failures.set(engine.id, failures);
    const status = failures === 0 ? 'healthy' : failures < UNHEALTHY_AFTER ? 'degraded' : 'unhealthy';
    this.#health.set(engine.id, { status, detail: check.detail });
    this.#deps.availability.report(engine.id, status !== 'unhealthy');
    await query(this.#deps.pool, RECORD, [engine.id, check.healthy, check.latencyMs, check.detail]);
    return this.health(engine.id);
  }

  async #check(engine: Engine): Promise<Check> {
    const started = performance.now();
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMIT_MS)]);
    const detail = await (engine.healthUrl ? askUrl(engine.healthUrl, signal) : this.#readWord(engine, signal)).catch(
      (error: unknown) => (signal.aborted ? 'no answer in time' : `failed: ${(error as Error).message}`),
    );
    return { healthy: detail === null, latencyMs: Math.round(performance.now() - started), detail };
  }

  async #readWord(engine: Engine, signal: AbortSignal): Promise<string | null> {
    const { engines } = this.#deps;
    using _permit = await engines.permit(engine, signal);
    const { reading } = await engines.read(engine, await this.#input(engine), probeSettings(engine), signal);
    if (reading.ending.kind !== 'ok') return `the probe ended as ${reading.ending.kind}`;
    const text = reading.pages.map((page) => page.text).join(' ');
    return text.toUpperCase().includes(PROBE_WORD) ? null : 'the probe’s word was not read';
  }

  async #input(engine: Engine): Promise<EngineInput> {
    const { documents, engines } = this.#deps;
    if (engine.nativePdf && !engine.accepts.includes('png')) {
      return { kind: 'document', bytes: PROBE_PDF, format: 'pdf', pages: [1] };
    }
    const decoded = engines.wantsDecoded(engine);
    return {
      kind: 'picture',
      page: 1,
      picture: await documents.picture(PROBE_PICTURE, 'png', 1, { dpi: null, decoded }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort(new Error('the process stops'));
    await this.#round;
  }
}

function probeSettings(engine: Engine): EngineSettings {
  const mapped = mapLanguage(adapterOf(engine).languageFamily, 'en', undefined);
  return { language: mapped.language, languageNative: mapped.native, dpi: null, detectTables: false, native: {} };
}

async function askUrl(url: string, signal: AbortSignal): Promise<string | null> {
  const answer = await request(url, { signal });
  await answer.body.dump();
  return answer.statusCode >= 200 && answer.statusCode < 300 ? null : `the health URL answered ${answer.statusCode}`;
}
