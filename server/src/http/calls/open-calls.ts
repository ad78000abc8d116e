import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { Caller } from '../../accounts/callers/caller.ts';
import type { ClientAddress } from '../../accounts/callers/client-address.ts';
import { addressBucket } from '../../platform/address-bucket.ts';
import type { ActiveParties } from '../../platform/concurrency/active-parties.ts';
import type { Config } from '../../platform/config.ts';
import type { AppError } from '../../platform/errors.ts';
import type { RefusedCall } from '../../platform/refused-call.ts';
import type { Shutdown } from '../../platform/shutdown.ts';
import type { Pressure } from '../../requests/submit/pressure.ts';
import { BODY_TIMES } from '../../rest/body/body-limits.ts';
import { graphqlBody } from '../../rest/body/graphql-body.ts';
import { KeptBodies } from '../../rest/body/kept-bodies.ts';
import { BodyReader, type ReadingOptions, receiveFile } from '../../rest/body/read-body.ts';
import { BodyReceiver, type Receiving } from '../../rest/body/receive-body.ts';
import type { FacadeDeps } from '../../rest/facade.ts';
import { partiesBy } from './body-party.ts';
import { FileTurns } from './file-turns.ts';
import { accountOf } from './locals.ts';
import { refusedCallOf } from './refused-call-of.ts';
import { UnreadAnswers } from './unread-answers.ts';
import type { WatchAnswer } from './watch-answers.ts';

export interface CallsDeps extends Pick<FacadeDeps<unknown>, 'schema' | 'onRefusal' | 'log'> {
  readonly addressOf: ClientAddress;
  readonly parties: ActiveParties;
  readonly shutdown: Pick<Shutdown, 'requireRunning'>;
  readonly pressure: Pick<Pressure, 'requireMemory'>;
  readonly refusals: { note(call: RefusedCall): void };
}

interface DocumentWish extends Pick<Receiving, 'onLate'> {
  readonly mostBytes: number;
}

type Refused = { readonly caller: Caller | null; readonly body?: unknown };
type ReaderOptions<Who> = Omit<ReadingOptions<Who>, 'partyOf' | 'kept'>;
type RenewCaller = (req: IncomingMessage, res: Response) => Promise<void>;

/** What both addresses do with a call: its body is received, its answer watched, and its refusal noted. */
export interface Calls extends Disposable {
  readonly fileTurns: FileTurns;
  readonly watchAnswer: WatchAnswer;
  /** The part of a facade that is the same at both addresses. */
  readonly answering: Pick<
    FacadeDeps<unknown>,
    'schema' | 'onRefusal' | 'slowResponseMs' | 'slowResponseBeatMs' | 'log'
  >;
  /** Throws where no document can be taken in now: the process stops, or is short of memory. */
  readonly requireReadiness: () => void;
  readonly noteRefused: (error: AppError, res: ServerResponse, from: Refused) => void;
  bodyReader<Who>(options: ReaderOptions<Who>): BodyReader<Who>;
  graphqlBody(limitBytes: number, renew: RenewCaller): ReturnType<typeof graphqlBody>;
  /** Receives a body that is a document, of at most a quarter of the bytes of all bodies. */
  receiveDocument(req: IncomingMessage, accountId: string | null, wish: DocumentWish): Promise<Buffer>;
}

export function openCalls(config: Config, deps: CallsDeps): Calls {
  const { schema, onRefusal, addressOf, parties, shutdown, pressure, refusals, log } = deps;
  const { maxBodiesBytes: totalBytes, slowResponseMs, slowResponseBeatMs } = config;
  const receiver = new BodyReceiver({ totalBytes, ...BODY_TIMES }, parties);
  const unread = new UnreadAnswers({ totalBytes });
  const partyOf = partiesBy(addressOf);
  const kept = new KeptBodies(config.maxMemoryBytes);
  const requireReadiness = () => {
    shutdown.requireRunning();
    pressure.requireMemory();
  };
  return {
    fileTurns: new FileTurns(parties),
    watchAnswer: (req, res, account) => unread.watch(res, () => partyOf(req, account())),
    answering: { schema, onRefusal, slowResponseMs, slowResponseBeatMs, log },
    requireReadiness,
    noteRefused: (error, res, from) => {
      const call = refusedCallOf(error, res, { ...from, address: addressBucket(addressOf(res.req)) });
      if (call) refusals.note(call);
    },
    bodyReader: (options) => new BodyReader(receiver, { ...options, partyOf, kept }),
    graphqlBody: (limitBytes, renew) =>
      graphqlBody(receiver, { limitBytes, accountOf, partyOf, kept, requireReadiness, renew }),
    receiveDocument: (req, accountId, { mostBytes, onLate }) =>
      receiveFile(receiver, req, {
        party: partyOf(req, accountId),
        limitBytes: Math.min(mostBytes, Math.floor(totalBytes / 4)),
        onLate,
      }),
    [Symbol.dispose]: () => {
      receiver[Symbol.dispose]();
      unread[Symbol.dispose]();
    },
  };
}
