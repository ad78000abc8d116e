import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../house/caller.ts';
import { ask } from '../house/graphql.ts';
import { openHouse } from '../house/house.ts';
import { WHOLE_SCHEMA } from '../house/introspection.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { picture } from '../house/pictures.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { type Socket, socketOf } from '../house/socket.ts';
import { until } from '../house/until.ts';
import { damageText, mutateBody } from './mutate-body.ts';
import { type MutatedOperation, mutateOperation } from './mutate-operation.ts';

/** How many of each kind; `npm run test:hostile` sends 10,000 in all. */
const COUNT = Number(process.env['HOSTILE_COUNT'] ?? 250);
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_122);
const MOST_OF_A_MESSAGE = 500_000;
const KINDS = ['query', 'query', 'mutation'] as const;
/** Codes of GraphQL's own, and of every error that a caller can mend; what is missing here is a failure of ours. */
const DOCUMENTED =
  /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_USER_INPUT|OPERATION_RESOLUTION_FAILURE|invalid_request|unknown_engine|history_disabled|authentication_error|insufficient_(balance|scope)|not_found|idempotency_key_reused|result_not_retained|payload_too_large|unprocessable_entity|rate_limited|provider_error|engine_unavailable)$/;

const house = await openHouse({ env: { REGISTRATION: 'true' } });
afterAll(() => house[Symbol.asyncDispose]());

let schema: GraphQLSchema;
let owner: Caller;
let operator: Caller;
let operatorKey: string;

beforeAll(async () => {
  owner = (await house.account({ credit: 1000 })).caller;
  const scopes = ['ocr:write', 'ocr:read', 'usage:read', 'operator'] as const;
  const account = await house.account({ credit: 1000, scopes: [...scopes] });
  operator = account.caller;
  operatorKey = account.apiKey;
  schema = buildClientSchema((await ask<IntrospectionQuery>(owner, WHOLE_SCHEMA)).data);
});

it(`${COUNT} operations with odd arguments over HTTP: never a failure of ours`, async () => {
  const random = new SeededRandom(SEED);
  const failures: string[] = [];
  for (let n = 0; n < COUNT; n++) {
    const operation = mutateOperation(schema, random.pick(KINDS), random);
    const { status, codes } = await ask(random.below(3) === 0 ? owner : operator, operation.query, operation.variables);
    if (status >= 500 || !codes.every((code) => DOCUMENTED.test(code))) failures.push(told(n, operation, codes));
  }
  expect(failures).toEqual([]);
});

it(`${COUNT} of them over sockets: never a failure of ours, and the socket stays`, async () => {
  const random = new SeededRandom(SEED + 1);
  const failures: string[] = [];
  await using socket = await socketOf(house.product.url, operatorKey);
  for (let n = 0; n < COUNT; n++) {
    const operation = mutateOperation(schema, random.pick([...KINDS, 'subscription'] as const), random);
    if (JSON.stringify(operation).length > MOST_OF_A_MESSAGE) continue; // ends the socket, as it should
    const codes = await codesOver(socket, operation);
    // A socket that was refused its operation has no code where GraphQL itself refused the values.
    if (!codes.every((code = 'BAD_USER_INPUT') => DOCUMENTED.test(code))) failures.push(told(n, operation, codes));
    if (socket.closeCode !== null) throw new Error(`closed with ${socket.closeCode}: ${told(n, operation, codes)}`);
  }
  expect(failures).toEqual([]);
});

it('has its engine on again, whatever operators did', async () => {
  await ask(operator, 'mutation { setEngineEnabled(id: "reader", enabled: true) { engineId } }');
  const body = await pictureBody();
  await until('the engine reads', async () => (await owner.ocr(body)).status === 200);
});

it(`${COUNT} bodies over REST: only what the contract names`, async () => {
  const random = new SeededRandom(SEED + 2);
  const good = ocrBody('reader', await picture());
  for (let n = 0; n < COUNT; n++) {
    const body = n % 2 === 0 ? mutateBody(good, random).body : damageText(good, random);
    const { status, text } = await owner.ocr(body);
    expect([200, 400, 413, 422], `seed ${SEED + 2}, body ${n}: ${text.slice(0, 300)}`).toContain(status);
  }
});

it('leaves the service in order', async () => {
  const { caller } = await house.account();
  expect((await caller.ocr(await pictureBody())).status).toBe(200);
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});

/** The codes of its errors; a subscription that has begun is ended. */
async function codesOver(socket: Socket, { query, variables }: MutatedOperation): Promise<(string | undefined)[]> {
  const operation = socket.subscribe(query, variables);
  if (query.startsWith('subscription')) await socket.answered('{ __typename }');
  else await socket.ended(operation);
  socket.complete(operation);
  return operation.codes ?? [];
}

function told(n: number, { query, variables }: MutatedOperation, codes: readonly unknown[]): string {
  return `${n} of seed ${SEED}: ${codes.join()}: ${query.slice(0, 300)} with ${JSON.stringify(variables).slice(0, 600)}`;
}
