import { beforeAll, expect, it } from 'vitest';
import { adminCommand } from '../house/command.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { sharedHouse } from '../house/shared-house.ts';

let house: House;
let owner: HouseAccount;
let operator: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account();
  operator = await house.account({ scopes: ['operator'] });
});

interface Entry {
  readonly action: string;
  readonly subject: string | null;
  readonly details: object;
  readonly outcome: string | null;
}

async function entries(subject: string | null = null): Promise<Entry[]> {
  const query = `query ($subject: String) { auditLog(subject: $subject) {
    nodes { id via accountId keyId action subject details outcome } } }`;
  const { data } = await ask<{ auditLog: { nodes: Entry[] } }>(operator.caller, query, { subject });
  return data.auditLog.nodes;
}

it('writes down what an operator changes, without secrets', async () => {
  const { data } = await ask<{ createAccount: { id: string } }>(
    operator.caller,
    'mutation { createAccount(email: "new@example.com", password: "do not tell anybody") { id } }',
  );
  const made = (await entries('new@example.com'))[0];
  expect(made).toMatchObject({ action: 'createAccount', via: 'graphql', outcome: 'done' });
  expect(made).toMatchObject({ accountId: operator.accountId, keyId: expect.stringMatching(/^key_/) });
  expect(made?.details).toEqual({ email: 'new@example.com', tier: 'free', history: true });
  const { id } = data.createAccount;
  await ask(operator.caller, 'mutation ($id: ID!) { addCredit(accountId: $id, usd: 3) { available } }', { id });
  expect(await entries(id)).toEqual([
    expect.objectContaining({ action: 'addCredit', details: { accountId: id, usd: 3 }, outcome: 'done' }),
  ]);
});

it('names the account and the key that something was done to, and those it was done with', async () => {
  const { accountId } = owner;
  const email = `audited-${accountId}@example.com`;
  const made = await ask<{ createAccount: { id: string } }>(
    operator.caller,
    'mutation ($email: String!) { createAccount(email: $email) { id } }',
    { email },
  );
  const { id } = made.data.createAccount;
  await ask(operator.caller, 'mutation ($id: ID!) { addCredit(accountId: $id, usd: 1) { available } }', { id });
  const key = await ask<{ createKey: { key: { id: string } } }>(
    operator.caller,
    'mutation ($id: ID!) { createKey(accountId: $id, label: "nightly", scopes: ["ocr:read"]) { key { id } } }',
    { id },
  );
  const keyId = key.data.createKey.key.id;
  await ask(operator.caller, 'mutation ($id: ID!) { revokeKey(id: $id) }', { id: keyId });
  const query = `query ($subject: String) { auditLog(subject: $subject) { nodes { accountEmail subjectName } } }`;
  const named = async (subject: string) =>
    (await ask<{ auditLog: { nodes: unknown[] } }>(operator.caller, query, { subject })).data.auditLog.nodes[0];
  const { data } = await ask<{ account: { email: string } }>(
    operator.caller,
    'query ($id: ID) { account(id: $id) { email } }',
    { id: operator.accountId },
  );
  const accountEmail = data.account.email;
  expect(await named(id)).toEqual({ accountEmail, subjectName: email });
  expect(await named(keyId)).toEqual({ accountEmail, subjectName: 'nightly' });
});

it('writes down for how long texts are kept from now on', async () => {
  const { accountId } = await house.account();
  const retention = 'mutation ($id: ID, $days: Int) { setRetention(accountId: $id, textDays: $days) { id } }';
  await ask(operator.caller, retention, { id: accountId, days: 30 });
  expect(await entries(accountId)).toEqual([
    expect.objectContaining({ action: 'setRetention', details: { accountId, textDays: 30 }, outcome: 'done' }),
  ]);
});

it('writes down what failed, with the code', async () => {
  await ask(operator.caller, 'mutation { setEngineEnabled(id: "nothing", enabled: false) { enabled } }');
  expect(await entries('nothing')).toEqual([
    expect.objectContaining({ action: 'setEngineEnabled', outcome: 'unknown_engine' }),
  ]);
});

it('writes down the command line, too', async () => {
  const env = { DATABASE_URL: house.databaseUrl };
  const { accountId } = owner;
  expect((await adminCommand(['credit', 'add', '--account', accountId, '--usd', '1'], env)).exitCode).toBe(0);
  const password = ['account', 'password', '--account', accountId, '--password', '-'];
  expect((await adminCommand(password, env, 'do not tell anybody\n')).exitCode).toBe(0);
  const [changed, added] = await entries(accountId);
  expect(added).toMatchObject({ action: 'credit add', via: 'command line', accountId: null, keyId: null });
  expect(added?.details).toEqual({ account: accountId, usd: 1 });
  expect(changed).toMatchObject({ action: 'account password', details: { account: accountId } });
  expect(JSON.stringify(await entries())).not.toContain('do not tell');
});

it('is for operators only, and holds nothing of what owners do', async () => {
  const before = await entries();
  expect((await ask(owner.caller, '{ auditLog { nodes { id } } }')).codes).toEqual(['insufficient_scope']);
  await ask(owner.caller, 'mutation { setHistory(on: true) { id } }');
  expect(await entries()).toEqual(before);
});

it('finds what was done in a time', async () => {
  const { accountId } = await house.account();
  for (const usd of [1, 2, 3]) {
    await ask(operator.caller, `mutation ($id: ID!) { addCredit(accountId: $id, usd: ${usd}) { available } }`, {
      id: accountId,
    });
  }
  const query = `query ($subject: String, $from: DateTimeISO, $to: DateTimeISO, $after: String) {
    auditLog(subject: $subject, first: 2, from: $from, to: $to, after: $after) {
      nodes { id at details } pageInfo { hasNextPage } } }`;
  interface Listed {
    readonly auditLog: {
      readonly nodes: readonly { id: string; at: string; details: { usd: number } }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  }
  const found = async (wish: object) =>
    (await ask<Listed>(operator.caller, query, { subject: accountId, ...wish })).data.auditLog;
  const amounts = async (wish: object) => (await found(wish)).nodes.map(({ details }) => details.usd);
  const [, second] = (await found({})).nodes;
  const at = second?.at;
  expect(await amounts({ from: at })).toEqual([3, 2]);
  expect(await amounts({ to: at })).toEqual([1]);
  expect(await amounts({ from: at, to: at })).toEqual([]);
  expect((await found({ to: new Date().toISOString() })).pageInfo).toEqual({ hasNextPage: true });
  expect(await amounts({ to: new Date().toISOString(), after: second?.id })).toEqual([1]);
});

it('goes on page by page', async () => {
  const first = '{ auditLog(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } }';
  const page = await ask<{ auditLog: { nodes: { id: string }[]; pageInfo: { endCursor: string } } }>(
    operator.caller,
    first,
  );
  const { endCursor } = page.data.auditLog.pageInfo;
  const next = await ask<{ auditLog: { nodes: { id: string }[] } }>(
    operator.caller,
    'query ($after: String) { auditLog(first: 1, after: $after) { nodes { id } } }',
    { after: endCursor },
  );
  expect(Number(next.data.auditLog.nodes[0]?.id)).toBeLessThan(Number(endCursor));
  expect((await ask(operator.caller, '{ auditLog(after: "x") { nodes { id } } }')).codes).toEqual(['invalid_request']);
});
