import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import { ByteRate, type ByteRateOptions } from '../../platform/concurrency/byte-rate.ts';
import { ReadTurns } from '../../platform/concurrency/read-turns.ts';
import { AppError } from '../../platform/errors.ts';

const MB = 1024 * 1024;
/** Of a party while others call. A first visit to the dashboard takes a third of a megabyte, two of one that takes nothing packed. */
const RATE: ByteRateOptions = { burst: 16 * MB, perSecond: 8 * MB };
/** What an answer is taken to have until it has been sent. */
const USUAL_BYTES = MB / 2;
const LONGEST_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 10;

/** Whose answer it is: an account, or an address. */
type PartyOf = (req: Request, res: Response) => string;

/**
 * Files are megabytes for who takes nothing packed, and cost nobody a login: while others call, those of a party begin one after the
 * other, and at a rate.
 */
export class FileTurns {
  readonly #parties: Pick<ActiveParties, 'hasOthers'>;
  /** A line of their own: as many as there are addresses may stand in it. */
  readonly #turns: ReadTurns;
  readonly #rate: ByteRate;

  constructor(parties: Pick<ActiveParties, 'hasOthers'>, rate = RATE) {
    this.#parties = parties;
    this.#turns = new ReadTurns(parties);
    this.#rate = new ByteRate(rate);
  }

  /** Answers 429 where a party asks for too much at once. */
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
