import { WIRES } from '../../server/src/engines/adapters/wires/find-wires.ts';
import { ScriptedProvider } from '../../server/src/engines/adapters/wires/scripted-provider.ts';
import { KEY, type Wire } from '../../server/src/engines/adapters/wires/wire-type.ts';
import type { EngineEntry } from '../../server/src/engines/engines-file.ts';
import { type AccountsAdmin, makeAccount } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { ask } from '../house/graphql.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { ENDINGS, type Ending } from './endings.ts';
import { PRICES, type Price } from './prices.ts';

/** What one ending on one adapter came to, at one price. */
export interface MeasuredEnding {
  readonly adapter: string;
  readonly isLocal: boolean;
  readonly ending: string;
  readonly price: Price;
  /** Of POST /v1/ocr. */
  readonly httpStatus: number;
  /** `status` of the result, or the code of the error. */
  readonly outcome: string;
  /** USD that the balance lost, and what the answer says that it cost (null: an error says nothing of it). */
  readonly debitedUsd: number;
  readonly saidUsd: number | null;
  /** Of the attempt. */
  readonly attempt: string;
  readonly billing: string;
}

/** More than any call takes on a busy machine: the first one of an engine loads its libraries. Those without an answer wait so long. */
const TIMEOUT_MS = 5000;
const CREDIT_USD = 1;

/** Drives a product of its own over a new database through every ending of every adapter at every price. */
export async function measureEndings(databaseUrl: string, admin: AccountsAdmin): Promise<MeasuredEnding[]> {
  await using stack = new AsyncDisposableStack();
  const providers = new Map<Wire, ScriptedProvider>();
  for (const wire of WIRES) providers.set(wire, stack.use(await ScriptedProvider.start()));
  const originOf = (wire: Wire) => providers.get(wire)?.origin ?? '';
  const cases = WIRES.flatMap((wire) => casesOf(wire));
  const engines = cases.map((each) => entryOf(each, originOf(each.wire)));
  const product = stack.use(await startProduct({ engines, databaseUrl }));
  const measure = async (each: Case): Promise<MeasuredEnding> => {
    const { wire, ending, price } = each;
    const behaviour = ending.behave(wire);
    if (behaviour) providers.get(wire)?.script(behaviour);
    const { accountId, apiKey } = await makeAccount(admin, { credit: CREDIT_USD });
    const caller = new Caller(product.url, apiKey);
    const answer = await caller.ocr(await pictureBody(idOf(each)));
    const { balance_usd } = await admin.showAccount(accountId);
    const { outcome, billing } = await attemptOf(caller, answer.headers['x-request-id']);
    return {
      adapter: wire.adapter.name,
      isLocal: wire.adapter.local,
      ending: ending.name,
      price,
      httpStatus: answer.status,
      outcome: answer.body.status ?? answer.body.error?.code ?? '',
      debitedUsd: Number((CREDIT_USD - balance_usd).toFixed(9)),
      saidUsd: answer.body.cost_debited ?? null,
      attempt: outcome,
      billing,
    };
  };
  // A provider has one script at a time: side by side go the adapters, not their endings.
  const byWire = await Promise.all(
    WIRES.map(async (wire) => {
      const measured: MeasuredEnding[] = [];
      for (const each of cases.filter((one) => one.wire === wire)) measured.push(await measure(each));
      return measured;
    }),
  );
  return byWire.flat();
}

interface Case {
  readonly wire: Wire;
  readonly ending: Ending;
  readonly price: Price;
}

function casesOf(wire: Wire): Case[] {
  const reportsTokens = wire.usage?.inputTokens != null && !wire.adapter.local;
  const prices = (Object.keys(PRICES) as Price[]).filter((price) => reportsTokens || price !== 'token price');
  const endings = ENDINGS.filter((ending) => ending.behave(wire) !== null);
  return prices.flatMap((price) => endings.map((ending) => ({ wire, ending, price })));
}

/** An engine for each case: faults in a row would open the circuit of one. */
function idOf({ wire, ending, price }: Case): string {
  return `${wire.adapter.name}-${ENDINGS.indexOf(ending)}-${Object.keys(PRICES).indexOf(price)}`;
}

function entryOf(each: Case, origin: string): EngineEntry {
  const { wire, price } = each;
  const { model, region, apiKey } = wire.engine;
  const id = idOf(each);
  return {
    ...PRICES[price],
    id,
    name: id,
    provider: `provider-of-${wire.adapter.name}`,
    adapter: wire.adapter.name,
    base_url: `${origin}${wire.basePath}`,
    api_key: apiKey ?? KEY,
    model: model ?? null,
    region: region ?? null,
    timeout_ms: TIMEOUT_MS,
    probe: false,
  };
}

async function attemptOf(caller: Caller, requestId = ''): Promise<{ outcome: string; billing: string }> {
  const query = `query ($id: ID!) { ocrRequest(id: $id) { attempts { outcome billing } } }`;
  type Found = { ocrRequest: { attempts: { outcome: string; billing: string }[] } | null } | null;
  const { data } = await ask<Found>(caller, query, { id: requestId });
  const [attempt] = data?.ocrRequest?.attempts ?? [];
  if (!attempt) throw new Error(`request ${requestId} has no attempt`);
  return attempt;
}
