import { afterAll, expect, it } from 'vitest';
import type { ErrorAnswer } from '../../house/answers.ts';
import type { Reply } from '../../house/caller.ts';
import { ask } from '../../house/graphql.ts';
import { type HouseAccount, openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { until } from '../../house/until.ts';

/** One of its own: every call that anybody was refused is counted here. */
const house = await openHouse({ engines: { reader: {}, off: {} } });
afterAll(() => house[Symbol.asyncDispose]());

interface Counted {
  readonly engine: string | null;
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly status: number;
  readonly code: string;
}

/** What was answered, by who was refused and what for; only refusals count. */
class Tally {
  readonly #calls = new Map<string, number>();

  add(of: Pick<Counted, 'engine' | 'accountId' | 'keyId'>, { status, body }: Reply<ErrorAnswer>): void {
    if (status < 400) return;
    const kind = JSON.stringify({ ...of, status, code: body.error.code } satisfies Counted);
    this.#calls.set(kind, (this.#calls.get(kind) ?? 0) + 1);
  }

  get rows(): (Counted & { calls: number })[] {
    return inOrder([...this.#calls].map(([kind, calls]) => ({ ...JSON.parse(kind), calls })));
  }

  callsOf(of: Partial<Counted>): number {
    const matching = this.rows.filter((row) =>
      Object.entries(of).every(([name, value]) => row[name as keyof Counted] === value),
    );
    return matching.reduce((sum, { calls }) => sum + calls, 0);
  }
}

const inOrder = <Row extends Counted>(rows: readonly Row[]) => {
  const place = ({ status, code, accountId, engine }: Counted) => `${status} ${code} ${accountId} ${engine}`;
  return rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
};

it('counts by engine, account, key and code just the calls that were sent and refused', async () => {
  const operator = await house.account({ scopes: ['operator'] });
  await ask(operator.caller, 'mutation { setEngineEnabled(id: "off", enabled: false) { enabled } }');
  const [owner, other, poor] = [await house.account(), await house.account(), await house.account({ credit: 0 })];
  const free = await house.account({ tier: 'free' });
  const nobody = { caller: house.callerWith('sk-ocr-unknown'), accountId: null };
  const sent = new Tally();
  const send = async (
    [by, times]: [Pick<HouseAccount, 'caller'> & { accountId: string | null }, number],
    engine: string | null,
    call: () => Promise<Reply<ErrorAnswer>>,
  ) => {
    const keyId = by.accountId === null ? null : await keyOf(by.accountId);
    const replies = await Promise.all(Array.from({ length: times }, call));
    for (const reply of replies) sent.add({ engine, accountId: by.accountId, keyId }, reply);
    return replies.map(({ status }) => status);
  };
  const picture = (by: { caller: HouseAccount['caller'] }, engine: string) => async () =>
    by.caller.ocr<ErrorAnswer>(await pictureBody(engine));
  const noPicture = ocrBody('reader', Buffer.from('no picture'));

  expect(await send([owner, 1], null, picture(owner, 'nobody'))).toEqual([400]);
  expect(await send([nobody, 3], null, picture(nobody, 'reader'))).toEqual([401, 401, 401]);
  expect(await send([poor, 2], 'reader', picture(poor, 'reader'))).toEqual([402, 402]);
  const long = () => owner.caller.ocr<ErrorAnswer>(Buffer.alloc(80_000_000, ' '));
  expect(await send([owner, 1], null, long)).toEqual([413]);
  const unread = () => other.caller.ocr<ErrorAnswer>(noPicture);
  expect(await send([other, 4], 'reader', unread)).toEqual([422, 422, 422, 422]);
  const often = await send([free, 75], null, () => free.caller.get<ErrorAnswer>('/v1/usage'));
  expect(new Set(often)).toEqual(new Set([200, 429]));
  expect(await send([owner, 3], 'off', picture(owner, 'off'))).toEqual([503, 503, 503]);
  expect(await send([other, 2], 'off', picture(other, 'off'))).toEqual([503, 503]);
  expect(await send([other, 2], 'reader', picture(other, 'reader'))).toEqual([200, 200]);

  type Answer = {
    refusedCalls: (Counted & { calls: number })[];
    overview: { refused: number };
    engines: { id: string; window: { unavailable: number } }[];
  };
  const QUERY = `{ refusedCalls(hours: 24) { engine accountId keyId status code calls } overview(hours: 24) { refused }
    engines { id window(hours: 24) { unavailable } } }`;
  const all = sent.callsOf({});
  const { refusedCalls, overview, engines } = await until('all of them are counted', async () => {
    const { data } = await ask<Answer>(operator.caller, QUERY);
    return data.refusedCalls.reduce((sum, { calls }) => sum + calls, 0) >= all && data;
  });
  expect(inOrder(refusedCalls)).toEqual(sent.rows);
  expect(overview.refused).toBe(all);
  for (const { id, window } of engines) {
    expect([id, window.unavailable]).toEqual([id, sent.callsOf({ engine: id, status: 503 })]);
  }

  async function keyOf(accountId: string): Promise<string> {
    type Account = { account: { keys: { id: string }[] } };
    const query = 'query ($id: ID!) { account(id: $id) { keys { id } } }';
    const { data } = await ask<Account>(operator.caller, query, { id: accountId });
    return data.account.keys[0]?.id ?? '';
  }
});
