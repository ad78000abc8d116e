import { beforeAll, expect, it } from 'vitest';
import { Browser } from '../house/browser.ts';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

let house: House;
let owner: HouseAccount;
let stranger: HouseAccount;
let operator: HouseAccount;
let ids: string[];

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account();
  stranger = await house.account();
  operator = await house.account({ scopes: ['ocr:write', 'ocr:read', 'usage:read', 'operator'] });
  ids = [];
  for (let n = 0; n < 3; n++) ids.unshift((await owner.caller.ocr(await pictureBody())).body.request_id);
});

interface Page {
  nodes: { id: string }[];
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}
const PAGE = 'nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

it('shows each page as nodes and as edges, with a whole PageInfo', async () => {
  const page = `query ($after: String) { requests(first: 2, after: $after) { ${PAGE} } }`;
  const first = (await ask<{ requests: Page }>(owner.caller, page)).data.requests;
  expect(first.edges.map(({ node }) => node)).toEqual(first.nodes);
  expect(first.nodes.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.edges[0]?.cursor,
    endCursor: first.edges[1]?.cursor,
  });
  // Every cursor is one to go on from.
  const after = first.edges[0]?.cursor;
  const second = (await ask<{ requests: Page }>(owner.caller, page, { after })).data.requests;
  expect(second.nodes.map(({ id }) => id)).toEqual(ids.slice(1));
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});

it.each(['accounts', 'auditLog', 'ledger'])('has edges in %s, too', async (field) => {
  const { data, codes } = await ask<Record<string, Page>>(operator.caller, `{ ${field}(first: 1) { ${PAGE} } }`);
  expect(codes).toEqual([]);
  expect(data[field]?.edges.map(({ node }) => node)).toEqual(data[field]?.nodes);
});

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on OcrRequest { status } ... on Engine { name } } }';
type Read = { node: { __typename: string; id: string } | null };

it('reads what has an id again, each by its own rule', async () => {
  const [id = ''] = ids;
  const request = { __typename: 'OcrRequest', id, status: 'succeeded' };
  expect((await ask<Read>(owner.caller, NODE, { id })).data.node).toEqual(request);
  expect((await ask<Read>(operator.caller, NODE, { id })).data.node).toEqual(request);
  expect((await ask<Read>(stranger.caller, NODE, { id })).data.node).toBeNull();
  const engine = await ask<Read>(stranger.caller, NODE, { id: 'tesseract' });
  expect(engine.data.node).toMatchObject({ __typename: 'Engine', id: 'tesseract' });
  for (const none of ['nothing', 'ocr_nothing', 'key_\0', '', '00000000-0000-0000-0000-000000000000']) {
    expect(await ask<Read>(operator.caller, NODE, { id: none })).toMatchObject({ data: { node: null }, codes: [] });
  }
});

it('reads accounts, keys, webhooks and deliveries for a login of theirs, and for operators', async () => {
  const { cookie } = await house.admin.createSession(owner.accountId, new URL(house.product.dashboardUrl));
  const browser = new Browser(house.product).take(cookie);
  const read = async (id: string) => (await browser.graphql<{ data: Read }>(NODE, { id })).body.data.node;
  const made = await browser.graphql<{ data: { createKey: { key: { id: string } } } }>(
    'mutation { createKey { key { id } } }',
  );
  const keyId = made.body.data.createKey.key.id;
  const webhook = await browser.send<{ id: string }>('POST', '/api/webhooks', { url: 'https://example.com/hook' });
  const delivery = await browser.send<{ id: string }>('POST', `/api/webhooks/${webhook.body.id}/test`);
  const things = [
    ['Account', owner.accountId],
    ['ApiKey', keyId],
    ['Webhook', webhook.body.id],
    ['WebhookDelivery', delivery.body.id],
  ] as const;
  const other = new Browser(house.product).take(
    (await house.admin.createSession(stranger.accountId, new URL(house.product.dashboardUrl))).cookie,
  );
  for (const [type, id] of things) {
    expect(await read(id)).toEqual({ __typename: type, id });
    expect((await other.graphql<{ data: Read }>(NODE, { id })).body.data.node).toBeNull();
    const byKey = await ask<Read>(owner.caller, NODE, { id });
    expect(byKey.codes).toEqual([expect.stringMatching(/^(insufficient_scope|authentication_error)$/)]);
  }
  for (const [type, id] of things.filter(([kind]) => kind !== 'Webhook')) {
    expect((await ask<Read>(operator.caller, NODE, { id })).data.node).toEqual({ __typename: type, id });
  }
});
