import { FairSemaphore, type Permit } from '../platform/concurrency/fair-semaphore.ts';
import { adapterOf } from './adapters/registry.ts';
import type { Catalogue } from './catalogue.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { Adapter, AdapterTools } from './model/adapter-type.ts';
import type { Ending, Engine, EngineInput, EngineSettings, Reading } from './model/engine.ts';
import type { ProviderFault } from './model/provider-fault.ts';
import { storableReading } from './model/reading.ts';
import { CancelledError, TimeLimitError } from './model/stop-reasons.ts';
import { cancelled, timedOut } from './unanswered.ts';

/** How a call ended: as the adapter says, broken off from our side, or by an error of ours. */
export type CallEnding = Ending['kind'] | 'aborted' | 'error';

/** Is called when a call is over. */
export type OnCall = (engineId: string, ending: CallEnding, ms: number) => void;

/** What a provider said to a call that failed. */
export interface Words {
  readonly fault: ProviderFault;
  /** '' when it said nothing. */
  readonly words: string;
  /** The request of the call; null for a probe. */
  readonly requestId: string | null;
}

export type OnWords = (engineId: string, said: Words) => void;

/** What a call is made for, and what ends it. */
export interface CallOptions {
  readonly requestId: string | null;
  readonly signal: AbortSignal;
}

/** Runs engines: opens an adapter at its first use, bounds its calls at once, and ends a call at the engine limit. */
export class EngineRunner implements AsyncDisposable {
  readonly #tools: AdapterTools;
  readonly #gates: Map<string, FairSemaphore>;
  readonly #breakers: Map<string, CircuitBreaker>;
  readonly #adapters = new Map<string, Promise<Adapter>>();
  readonly #onCall: OnCall;
  readonly #onWords: OnWords;

  constructor(
    catalogue: Catalogue,
    tools: AdapterTools,
    { onCall, onWords }: { readonly onCall?: OnCall; readonly onWords?: OnWords } = {},
  ) {
    this.#onCall = onCall ?? (() => undefined);
    this.#onWords = onWords ?? (() => undefined);
    this.#tools = tools;
    this.#gates = new Map(catalogue.engines.map((engine) => [engine.id, new FairSemaphore(engine.concurrency)]));
    this.#breakers = new Map(catalogue.engines.map((engine) => [engine.id, new CircuitBreaker()]));
  }

  /** Waits for one of the engine's places in this process; parties (accounts) that wait take turns. */
  permit(engine: Engine, signal: AbortSignal, party?: string): Promise<Permit> {
    return this.#gate(engine).acquire(signal, party);
  }

  /**
   * Whether the engine's circuit breaker is open: it failed several times in a row and is not called for a while. Announced
   * engines have none.
   */
  isResting({ id }: Engine): boolean {
    return this.#breakers.get(id)?.isOpen ?? false;
  }

  /**
   * Asks the engine's circuit breaker for a call that follows at once. While it is open, the answer is false for a call
   * that is not `patient`; others wait until the engine is tried again. While a trial call runs, all wait for its end.
   */
  enter(engine: Engine, { patient, signal }: { patient: boolean; signal: AbortSignal }): Promise<boolean> {
    return this.#breaker(engine).enter({ patient, signal });
  }

  /** Local programs get pictures that were decoded and written anew; hosted ones get sound originals as they are. */
  wantsDecoded(engine: Engine): boolean {
    return adapterOf(engine).local;
  }

  /** Programs that are started for each picture read it from a file. */
  wantsFile(engine: Engine): boolean {
    return adapterOf(engine).readsFiles ?? false;
  }

  /**
   * One call. The engine limit, and the time limit of the request, end it as the ending `timeout`, the request's
   * cancellation as `cancelled`; any other abort is an exception with the signal's reason. In each case the adapter's work
   * is really stopped.
   */
  async read(
    engine: Engine,
    input: EngineInput,
    settings: EngineSettings,
    { requestId, signal }: CallOptions,
  ): Promise<{ reading: Reading; latencyMs: number }> {
    const breaker = this.#breaker(engine);
    breaker.begin();
    const call = new AbortController();
    const passOn = () => call.abort(signal.reason);
    const timer = setTimeout(() => call.abort(new TimeLimitError('the engine limit')), engine.timeoutMs);
    signal.addEventListener('abort', passOn, { once: true });
    if (signal.aborted) passOn();
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    let ending: CallEnding = 'error';
    try {
      const adapter = await this.#open(engine);
      const answer = storableReading(
        this.#withoutWords(engine, requestId, await adapter.read(input, settings, call.signal)),
      );
      // No provider bills for a program of our own, however the call ended.
      const reading: Reading =
        adapterOf(engine).local && answer.ending.kind !== 'ok' ? { ...answer, billed: 'no' } : answer;
      breaker.record(reading.ending);
      ending = reading.ending.kind;
      return { reading, latencyMs: elapsed() };
    } catch (error) {
      if (signal.aborted) ending = 'aborted';
      if (call.signal.reason instanceof CancelledError) {
        return { reading: cancelled(engine, { called: true }), latencyMs: elapsed() };
      }
      if (!(call.signal.reason instanceof TimeLimitError)) throw error;
      ending = 'timeout';
      const reading = timedOut(engine, { called: true });
      // What is left of a request's time may be next to nothing: only its own limit speaks against an engine.
      if (!signal.aborted) breaker.record(reading.ending);
      return { reading, latencyMs: elapsed() };
    } finally {
      breaker.forget();
      clearTimeout(timer);
      signal.removeEventListener('abort', passOn);
      this.#onCall(engine.id, ending, performance.now() - started);
    }
  }

  /** Takes the provider's own words out of the reading, which the caller sees, and hands them to `onWords`, for operators. */
  #withoutWords({ id }: Engine, requestId: string | null, reading: Reading): Reading {
    if (reading.ending.kind !== 'failed' || reading.ending.providerWords === undefined) return reading;
    const { providerWords, ...ending } = reading.ending;
    if (ending.fault) this.#onWords(id, { fault: ending.fault, words: providerWords, requestId });
    return { ...reading, ending };
  }

  #gate(engine: Engine): FairSemaphore {
    const gate = this.#gates.get(engine.id);
    if (!gate) throw new Error(`engine ${engine.id} is not in this catalogue`);
    return gate;
  }

  #breaker({ id }: Engine): CircuitBreaker {
    const breaker = this.#breakers.get(id);
    if (!breaker) throw new Error(`engine ${id} is not in this catalogue`);
    return breaker;
  }

  #open(engine: Engine): Promise<Adapter> {
    const open = this.#adapters.get(engine.id);
    if (open) return open;
    const opening = Promise.resolve(adapterOf(engine).open(engine, this.#tools));
    this.#adapters.set(engine.id, opening);
    opening.catch(() => this.#adapters.delete(engine.id)); // the next call tries again
    return opening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const adapters = await Promise.allSettled(this.#adapters.values());
    await Promise.allSettled(
      adapters.map((result) => (result.status === 'fulfilled' ? result.value[Symbol.asyncDispose]?.() : undefined)),
    );
  }
}
