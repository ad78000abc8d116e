import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AppError } from '../errors.ts';
import { isAllowed, type Network, parseAddress, parseNetworks } from './addresses.ts';
import { nameLookup } from './name-lookup.ts';

/** A connection to where callers may not send us was refused. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

export interface EgressOptions {
  /** Networks that are open although they are not public. */
  readonly allowCidrs: readonly string[];
  /** How names become addresses; `nameLookup` unless given. */
  readonly lookup?: LookupFunction;
  readonly connectTimeoutMs?: number;
}

const LOOPBACK = '127.0.0.1';
const CONNECT_TIMEOUT_MS = 5_000;
const LOOKUP_TIMEOUT_MS = 2_000;
/** One for the process: what it asks of the system takes turns. */
const LOOKUP = nameLookup();

/**
 * A URL that a caller may have us call: http or https, no credentials, not an address outside the internet. What its
 * name resolves to is checked when the agent connects. Throws `invalid_request` that names the `field`.
 */
export function assertPublicUrl(url: string, allowCidrs: readonly string[], field = 'input.url'): URL {
  const parsed = assertWebUrl(url, field);
  requirePublicAddress(parsed, allowCidrs, field);
  return parsed;
}

/** As far as the URL says it by itself: http or https, no credentials. */
export function assertWebUrl(url: string, field: string): URL {
  if (!URL.canParse(url)) throw new AppError('invalid_request', `${field}: is not a URL.`);
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new AppError('invalid_request', `${field}: must begin with http:// or https://.`);
  }
  if (parsed.username || parsed.password) throw new AppError('invalid_request', `${field}: must not hold credentials.`);
  return parsed;
}

/** As far as the operator's configuration decides it. */
export function requirePublicAddress({ hostname }: URL, allowCidrs: readonly string[], field: string): void {
  const address = parseAddress(isLocalName(hostname) ? LOOPBACK : hostname);
  if (address && !isAllowed(address, parseNetworks(allowCidrs))) throw notPublic(field);
}

export function notPublic(field: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${field}: must lead to a public address.`, {}, { cause });
}

/**
 * The same for a URL that is kept for later: its name is looked up, too, so that one that leads inside is refused at
 * once. A name that is not known (yet) passes, since the call itself is guarded again.
 */
export async function requirePublicUrl(url: string, options: EgressOptions & { field: string }): Promise<URL> {
  const parsed = assertPublicUrl(url, options.allowCidrs, options.field);
  const lookup = guardedLookup(options.lookup ?? LOOKUP, parseNetworks(options.allowCidrs));
  const bare = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const refused = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), LOOKUP_TIMEOUT_MS).unref();
    lookup(bare, { all: true }, (error) => resolve(isPrivateAddress(error)));
  });
  if (await refused) throw notPublic(options.field);
  return parsed;
}

/** The error that a call through the guarded agent failed with, when it was refused for its address. */
export function isPrivateAddress(error: unknown): boolean {
  if (error instanceof PrivateAddressError) return true;
  return error instanceof Error && error.cause !== undefined && isPrivateAddress(error.cause);
}

/**
 * Connects to public addresses only, whatever the URL, the DNS answer or a redirect says. There is no HTTP/2: while a handshake
 * could still choose it, undici lets all other calls of the same server wait.
 */
export function guardedAgent(options: EgressOptions): Agent {
  return new Agent({ connect: guardedConnector(options), allowH2: false });
}

function guardedConnector({ allowCidrs, lookup, connectTimeoutMs }: EgressOptions): buildConnector.connector {
  const opened = parseNetworks(allowCidrs);
  const connect = buildConnector({
    timeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(lookup ?? LOOKUP, opened),
    allowH2: false,
  });
  return (target, callback) => {
    // Node asks no resolver about an address, so the look-up below never sees one.
    const literal = parseAddress(target.hostname);
    if (literal && !isAllowed(literal, opened)) return callback(new PrivateAddressError(target.hostname), null);
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const remote = parseAddress(socket.remoteAddress ?? '');
      if (remote && isAllowed(remote, opened)) return callback(null, socket);
      socket.destroy();
      callback(new PrivateAddressError(target.hostname), null);
    });
  };
}

/** Every address of a name must be public; the connection is then made to these, without asking again. */
function guardedLookup(lookup: LookupFunction, opened: readonly Network[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: 0 }] : found;
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublic(address, opened))) {
        return callback(new PrivateAddressError(hostname), []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function isPublic(address: string, opened: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isAllowed(parsed, opened);
}

/** Names that mean this machine without anyone being asked; a dot at the end changes nothing. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}
