import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { type Admin, makeAccount, type NewAccount, openHouseAdmin } from './admin.ts';
import { Caller } from './caller.ts';
import { createDatabase } from './cluster.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { canBeHosted, hostProduct } from './hosted-product.ts';
import { type Product, type ProductProcess, startProduct } from './product.ts';
import type { ProductOptions } from './product-settings.ts';
import { ScriptedEngines } from './scripted-engines.ts';

/** Lets documents come from this machine's own test servers. */
export const LOOPBACK_ALLOWED = { ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128' };

export interface HouseOptions {
  /** Scripted engines by id, each with what differs from the usual entry; one `reader` when not given. */
  readonly engines?: Readonly<Record<string, Partial<EngineEntry>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Stands between the product and its database; the operator's side goes straight. */
  readonly proxy?: DatabaseProxy;
}

export interface HouseAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly caller: Caller;
}

/** A running product with everything around it: database, operator, scripted providers, callers. */
export class House<Running extends Product = Product> implements AsyncDisposable {
  readonly product: Running;
  readonly admin: Admin;
  readonly engines: ScriptedEngines;
  /** The way to the database that no proxy disturbs. */
  readonly databaseUrl: string;
  /** A caller without a key. */
  readonly stranger: Caller;

  constructor(parts: { product: Running; admin: Admin; engines: ScriptedEngines; databaseUrl: string }) {
    this.product = parts.product;
    this.databaseUrl = parts.databaseUrl;
    this.admin = parts.admin;
    this.engines = parts.engines;
    this.stranger = new Caller(parts.product.url);
  }

  /** A new account with credit (10 USD, no rate limit, history on, unless wished otherwise), a key and a caller. */
  async account(wish: NewAccount = {}): Promise<HouseAccount> {
    const { accountId, apiKey } = await makeAccount(this.admin, wish);
    return { accountId, apiKey, caller: this.callerWith(apiKey) };
  }

  callerWith(apiKey: string): Caller {
    return new Caller(this.product.url, apiKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.product[Symbol.asyncDispose](), this.admin[Symbol.asyncDispose]()]);
    await this.engines[Symbol.asyncDispose]();
  }
}

/** With a product beside those of other houses, unless its settings are of a process as a whole. */
export function openHouse(options: HouseOptions = {}): Promise<House> {
  return open(options, (settings) => (canBeHosted(settings) ? hostProduct(settings) : startProduct(settings)));
}

/** With a product in a process of its own, to look at, to send signals to and to kill. */
export function openOwnHouse(options: HouseOptions = {}): Promise<House<ProductProcess>> {
  return open(options, startProduct);
}

async function open<Running extends Product>(
  options: HouseOptions,
  start: (settings: ProductOptions) => Promise<Running>,
): Promise<House<Running>> {
  const databaseUrl = await createDatabase();
  const engines = await ScriptedEngines.start();
  const entries = Object.entries(options.engines ?? { reader: {} }).map(([id, more]) => engines.entry(id, more));
  const starting = start({
    engines: entries,
    databaseUrl: options.proxy?.urlTo(databaseUrl) ?? databaseUrl,
    ...(options.env && { env: options.env }),
  });
  const [product, admin] = await Promise.all([starting, openHouseAdmin(databaseUrl)]);
  return new House({ product, admin, engines, databaseUrl });
}
