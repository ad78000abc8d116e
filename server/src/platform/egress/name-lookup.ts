import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Semaphore } from '../concurrency/semaphore.ts';
import { namesInHosts } from './hosts-file.ts';

export interface NameLookupOptions {
  /** Name servers, as `address:port`; the system's unless given. */
  readonly servers?: readonly string[];
  /** The system's look-up, and the names that it knows by itself. */
  readonly system?: LookupFunction;
  readonly systemNames?: () => ReadonlySet<string>;
  readonly limitMs?: number;
}

/** Shorter than what a connection may take with its look-up. */
const LIMIT_MS = 4500;
/** How long a name server may be silent before it is asked again, or the next one is; tries of each. */
const PATIENCE = { timeout: 1500, tries: 2 };
/** Failures after which the system may know the name all the same: by a search domain, or without a name server. */
const ASK_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

type Found = readonly LookupAddress[];

/**
 * Looks up names that strangers give. The system's look-up holds a thread for as long as a name server is silent, 20 seconds as a
 * rule, and two of them at once keep every other name of the process waiting: those of providers and of the database, too. So
 * name servers are asked without a thread. The system is asked for the names of its hosts file, which are there at once, and, one
 * at a time, for those that no name server knows.
 */
export function nameLookup(options: NameLookupOptions = {}): LookupFunction {
  const { servers, system = systemLookup as LookupFunction, systemNames = namesInHosts, limitMs = LIMIT_MS } = options;
  const lastResort = new Semaphore(1);
  const find = async (name: string): Promise<Found> => {
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family }];
    if (systemNames().has(name.toLowerCase().replace(/\.$/, ''))) return ask(system, name);
    const late = AbortSignal.timeout(limitMs);
    return askServers(name, servers, late).catch((error: NodeJS.ErrnoException) => {
      if (!ASK_SYSTEM.has(error.code ?? '')) throw error;
      return inTurn(lastResort, late, () => ask(system, name));
    });
  };
  return (hostname, { all, family }, callback) => {
    find(hostname)
      .then((found) => of(family, found, hostname))
      .then(
        ([first, ...more]) => (all ? callback(null, [first, ...more]) : callback(null, first.address, first.family)),
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
  };
}

/** Asks for both families. One that fails matters only where the other one has no address, either. */
async function askServers(name: string, servers: readonly string[] | undefined, late: AbortSignal): Promise<Found> {
  const resolver = new Resolver(PATIENCE); // a new one knows of the system's servers as they are now
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  late.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...addressesOf(four, 4), ...addressesOf(six, 6)];
  } finally {
    late.removeEventListener('abort', cancel);
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function ask(system: LookupFunction, name: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    system(name, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found);
    });
  });
}

/** Runs the work in its turn; rejects when the time is over, whether it has begun or not. */
function inTurn(turns: Semaphore, late: AbortSignal, work: () => Promise<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error('the name was not found in time'), { code: 'ETIMEOUT' }));
    if (late.aborted) return giveUp();
    late.addEventListener('abort', giveUp, { once: true });
    turns.enter(async () => {
      if (!late.aborted) await work().then(resolve, reject);
      late.removeEventListener('abort', giveUp);
    });
  });
}

function of(family: unknown, found: Found, name: string): [LookupAddress, ...LookupAddress[]] {
  const wanted = family === 4 || family === 6 ? found.filter((each) => each.family === family) : found;
  const [first, ...more] = wanted;
  if (first) return [first, ...more];
  throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
}
