import { ByteRate, type ByteRateOptions } from './byte-rate.ts';

/** What brings bytes, and can be asked to bring none for a while. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Reads from the sources of a party no faster than at the rate that it has for all of them together. */
export class ReadPacer {
  readonly #rate: ByteRate;
  /** One of each source: several messages may come in one piece, and the source is read on after the last of them. */
  readonly #resumptions = new WeakMap<Source, NodeJS.Timeout>();

  constructor(rate: ByteRateOptions) {
    this.#rate = new ByteRate(rate);
  }

  /** Counts bytes that a source of the party has brought; pauses it for as long as the party is above its rate. */
  count(source: Source, party: string, bytes: number): void {
    const waitMs = this.#rate.take(party, bytes);
    if (waitMs === 0) return;
    source.pause();
    clearTimeout(this.#resumptions.get(source));
    this.#resumptions.set(source, setTimeout(() => source.resume(), waitMs).unref());
  }
}
