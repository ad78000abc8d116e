import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate, type ByteRateOptions } from '../../platform/concurrency/byte-rate.ts';
import { ReadTurns } from '../../platform/concurrency/read-turns.ts';
import { AppError } from '../../platform/errors.ts';

const MB = 1024 * 1024;
/**
 * Bytes of files for one party while others call. A first visit to the dashboard takes a third of a megabyte, or two megabytes
 * without compression.
 */
const RATE: ByteRateOptions = { burst: 16 * MB, perSecond: 8 * MB };
/** Bytes that an answer is counted with until it has been sent. */
const USUAL_BYTES = MB / 2;
const LONGEST_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 10;

/** The party that an answer belongs to: an account, or an address. */
type PartyOf = (req: Request, res: Response) => string;

/**
 * Turns at files. A file has megabytes for a client without compression, and needs no login: while others call, the files of a
 * party are sent one after the other, and at a limited rate.
 */
export class FileTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  /** Turns apart from those of reads: any number of addresses may wait here. */
  readonly #turns: ReadTurns;
  readonly #rate: ByteRate;

  constructor(parties: Pick<ActiveParties, 'hasOthers'>, rate = RATE) {
    this.#parties = parties;
    this.#turns = new ReadTurns(parties);
    this.#rate = new ByteRate(rate);
  }

  /**
   * A handler that lets the next one run in the party's turn. Answers 429 where the rate would have the party wait for more than
   * 30 seconds, or too many of its files wait.
   */
  of(partyOf: PartyOf): RequestHandler {
    return (req, res, next) => {
      const party = partyOf(req, res);
      const hangUp = hangUpOf(res);
      const send = () => this.#send(party, res, hangUp, next);
      this.#turns.run(party, hangUp, send).catch(next);
    };
  }

  async #send(party: string, res: Response, hangUp: () => AbortSignal, next: () => void): Promise<void> {
    const { socket } = res;
    const isCounted = this.#parties.hasOthers(party);
    if (isCounted) await this.#pace(party, hangUp);
    const before = socket?.bytesWritten ?? 0;
    await new Promise<void>((resolve) => {
      res.once('close', resolve);
      next();
    });
    if (!isCounted) return;
    const sent = (socket?.bytesWritten ?? 0) - before;
    this.#rate.giveBack(party, USUAL_BYTES);
    this.#rate.take(party, sent);
  }

  async #pace(party: string, hangUp: () => AbortSignal): Promise<void> {
    const waitMs = this.#rate.take(party, USUAL_BYTES);
    if (waitMs <= 0) return;
    try {
      if (waitMs > LONGEST_WAIT_MS) throw tooMuch();
      const signal = hangUp();
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    } catch (error) {
      this.#rate.giveBack(party, USUAL_BYTES);
      throw error;
    }
  }
}

function tooMuch(): AppError {
  return new AppError('rate_limited', 'Too many files are asked for at once. Ask again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
