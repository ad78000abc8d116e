import { newLanes } from '../database/batches/lane-batcher.ts';
import { overtakingOn } from '../database/batches/overtaking.ts';
import type { Connections } from '../database/connections.ts';
import { DocumentStore } from '../documents/store.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { ActiveParties } from '../platform/concurrency/active-parties.ts';
import type { Log } from '../platform/logging/log.ts';
import { PositionTurns } from './places/position-turns.ts';
import { AcceptanceStore } from './store/accept/accept.ts';
import { RequestLookup } from './store/find.ts';
import { LargeRequestPages } from './store/large-request-pages.ts';
import { LeaseExpiry } from './store/lease-expiry.ts';
import { Leases } from './store/leases.ts';
import { Queue } from './store/queue.ts';
import { requestLoaders } from './store/request-loaders.ts';
import { SettlementStore } from './store/settle/settle.ts';
import type { RequestToSettle, Settlement } from './store/settle/settlement.ts';
import { StoredPages } from './store/stored-pages.ts';
import { TextTurns } from './store/texts/text-turns.ts';
import { WalletRetries } from './store/wallet-retries.ts';

/** How long a lease lasts without a heartbeat. */
export const LEASE_MS = 10_000;

export interface StoresDeps {
  readonly connections: Pick<Connections, 'hot' | 'texts'>;
  readonly catalogue: Catalogue;
  readonly parties: ActiveParties;
  /** This process, as leases name it. */
  readonly owner: string;
  /** Called when webhooks have become due. */
  readonly onAnnounced: () => void;
  readonly onEnded: (request: RequestToSettle, settlement: Settlement) => void;
  readonly log: Log;
}

/** What the database has of requests. */
export type Stores = ReturnType<typeof openStores>;

/** Opens what reads and writes requests in the database. */
export function openStores({ connections, catalogue, parties, owner, onAnnounced, onEnded, log }: StoresDeps) {
  const { hot } = connections;
  const texts = { pool: connections.texts, turns: new TextTurns(parties) };
  const positions = new PositionTurns(parties);
  const lanes = newLanes(1, overtakingOn(hot)); // acceptance and settlement wait for the same wallets
  const walletRetries = new WalletRetries();
  return {
    lookup: new RequestLookup(hot, texts),
    acceptance: new AcceptanceStore(hot, { owner, leaseMs: LEASE_MS, lanes, walletRetries, log }),
    settlements: new SettlementStore(hot, { lanes, walletRetries, onAnnounced, onEnded }),
    leases: new Leases(hot, { owner, leaseMs: LEASE_MS }),
    expiry: new LeaseExpiry(hot, { owner }),
    queue: new Queue(hot),
    store: new DocumentStore(hot),
    largeRequestPages: new LargeRequestPages(hot, catalogue),
    storedPages: new StoredPages(hot, texts),
    loaders: requestLoaders(hot, { positions, texts }),
    positions,
  };
}
