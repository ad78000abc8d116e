import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../house/seeded-random.ts';
import type { Absence, Mortal } from '../mortal.ts';
import type { Fault } from './fault.ts';

/** One after the other makes a blow. */
const KILLS = 3;
const LEAST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 3000;

/** One process after the other ends without a warning (SIGKILL), each at a random moment. */
export class Kills implements Fault {
  readonly kind = 'kills';
  readonly blows: string[] = [];
  readonly missed = [];
  readonly stops = [];
  readonly #mortals: readonly Mortal[];
  readonly #random: SeededRandom;

  constructor(mortals: readonly Mortal[], random: SeededRandom) {
    this.#mortals = mortals;
    this.#random = random;
  }

  get crashes(): Absence[] {
    return this.#mortals.filter(({ kind }) => kind === 'postgres').flatMap(({ deaths }) => deaths);
  }

  get outages(): Absence[] {
    return this.crashes;
  }

  async strike(): Promise<void> {
    for (let kill = 0; kill < KILLS; kill += 1) await this.#killOne();
  }

  async #killOne(): Promise<void> {
    await sleep(LEAST_PAUSE_MS + this.#random.below(MOST_PAUSE_MS - LEAST_PAUSE_MS));
    const victims = this.#mortals.filter(({ isHealthy }) => isHealthy);
    if (victims.length === 0) return;
    const victim = this.#random.pick(victims);
    await victim.kill();
    this.blows.push(victim.kind);
  }

  async recovered(): Promise<void> {
    await Promise.all(this.#mortals.map((mortal) => mortal.recovered()));
  }
}
