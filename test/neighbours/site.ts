import { startChild } from '../../bench/child.ts';
import { openAdmin } from '../../server/dist/admin/admin.js';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { makeAccount, type NewAccount } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { freePorts } from '../house/free-ports.ts';
import { LOOPBACK_ALLOWED } from '../house/house.ts';
import { MALLOC } from '../house/malloc.ts';
import { type ProductProcess, startProduct } from '../house/product.ts';
import type { Attacker, Target } from './attack.ts';
import { Neighbour, type Pace } from './neighbour.ts';

/** The product with accounts that attack it and one that does not, each side in a process of its own. */
export interface Site extends AsyncDisposable {
  readonly product: ProductProcess;
  /** What one attack may use, with an account without money that no other attack has used up the calls of. */
  newTarget(): Promise<Target>;
  readonly neighbour: Neighbour;
}

/** Small enough that one account can try to fill it within seconds. */
const MAX_QUEUED = '200';
/** How much attacks make beforehand: where times are measured, as much as they need to be felt most. */
const SHARES = { measured: 1, watched: 0.2 } as const satisfies Record<Pace, number>;

export async function openSite(databaseUrl: string, pace: Pace): Promise<Site> {
  await using stack = new AsyncDisposableStack();
  const [port = 0] = await freePorts(1);
  stack.use(await startChild('test/neighbours/provider-process.ts', String(port)));
  const product = stack.use(
    await startProduct({ databaseUrl, engines: entries(port), env: { MAX_QUEUED, ...MALLOC, ...LOOPBACK_ALLOWED } }),
  );
  const admin = stack.use(await openAdmin(databaseUrl));
  const make = async (wish: NewAccount): Promise<Attacker> => {
    const { accountId, apiKey } = await makeAccount(admin, wish);
    return { accountId, apiKey, caller: new Caller(product.url, apiKey) };
  };
  const funded = await make({ credit: 1000 });
  const innocent = await make({ credit: 1000 });
  const owning = await make({ credit: 1000 });
  const login = async ({ accountId }: Attacker) => {
    const { cookie } = await admin.createSession(accountId, new URL(product.dashboardUrl));
    return cookie;
  };
  const owner = { ...owning, cookie: await login(owning) };
  const neighbour = stack.use(await Neighbour.start(product.url, innocent.apiKey, pace));
  const owned = stack.move();
  const { url, dashboardUrl } = product;
  return {
    product,
    neighbour,
    newTarget: async () => {
      const penniless = await make({ tier: 'free', credit: 0 });
      const cookie = await login(penniless);
      return { url, dashboardUrl, databaseUrl, penniless, funded, owner, cookie, share: SHARES[pace] };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function entries(port: number): EngineEntry[] {
  const common = { price_per_page_usd: 0.0001, provider_cost_per_page_usd: 0, probe: false };
  const entry = (id: string, more: Partial<EngineEntry>): EngineEntry => ({
    id,
    name: `Scripted ${id}`,
    provider: `provider-of-${id}`,
    adapter: 'openai',
    base_url: `http://127.0.0.1:${port}/${id}/v1`,
    api_key: 'provider-secret',
    model: 'scripted-1',
    concurrency: 32,
    ...common,
    ...more,
  });
  return [
    entry('instant', {}),
    entry('stuck', { concurrency: 1 }),
    entry('narrow', { concurrency: 4 }),
    entry('tiny', { adapter: 'easyocr', base_url: `http://127.0.0.1:${port}/tiny` }),
  ];
}
