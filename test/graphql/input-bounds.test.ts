import { beforeAll, expect, it } from 'vitest';
import { ask } from '../house/graphql.ts';
import { type House, type HouseAccount } from '../house/house.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';

let house: House;
let owner: HouseAccount;

beforeAll(async () => {
  house = await sharedHouse();
  owner = await house.account({ scopes: ['ocr:write', 'ocr:read', 'usage:read', 'operator'] });
});

const SUBMIT = 'mutation ($r: OcrRequestInput!) { submitOcr(request: $r, idempotencyKey: "k") { id } }';
const long = (length: number) => 'a'.repeat(length);

it.each([
  ['language', { settings: { language: long(101) } }],
  ['dpi', { settings: { dpi: 71 } }],
  ['dpi', { settings: { dpi: 1201 } }],
  ['page_range', { settings: { pageRange: `1${',1'.repeat(500)}` } }],
  ['language_hints', { options: { languageHints: Array.from({ length: 51 }, () => 'eng') } }],
  ['language_hints', { options: { languageHints: [long(101)] } }],
  ['mime_type', { input: { type: 'url', url: 'https://example.com/a.png', mimeType: long(256) } }],
  ['input.url', { input: { type: 'url', url: `https://example.com/${long(8192)}` } }],
  ['webhook_url', { mode: 'async', webhookUrl: `https://example.com/${long(8192)}` }],
  ['engine', { engine: long(201) }],
  ['fallback_engine', { fallbackEngine: long(201) }],
  ['page_count', { pageCount: 100_001 }],
])('holds a request to the lengths and ranges of REST: %s', async (field, wrong) => {
  const { input } = ocrBody('reader', await picture());
  const request = { engine: 'reader', input: { type: 'base64', dataBase64: input.data_base64 }, ...wrong };
  const { data, errors } = await refused(SUBMIT, { r: request });
  expect(data?.['submitOcr'] ?? null).toBeNull();
  expect(errors[0]).toMatchObject({ message: expect.stringContaining(field), extensions: { code: 'invalid_request' } });
});

it.each([
  [
    'a status with a NUL',
    'query ($f: RequestFilter) { requests(filter: $f) { nodes { id } } }',
    { f: { status: ['\0'] } },
  ],
  [
    'a status that there is not',
    'query ($f: RequestFilter) { requests(filter: $f) { nodes { id } } }',
    { f: { status: ['done'] } },
  ],
  ['a text of absurd length', 'query ($t: String) { accounts(search: $t) { nodes { id } } }', { t: long(10_001) }],
  [
    'a list of absurd length',
    'mutation ($t: [String!]) { createKey(scopes: $t) { apiKey } }',
    { t: Array(1001).fill('ocr:read') },
  ],
  ['a NUL in what is kept', 'mutation ($t: String) { createKey(label: $t) { apiKey } }', { t: 'a\0b' }],
  ['half a character in what is written down', 'mutation ($t: ID!) { revokeKey(id: $t) }', { t: '\ud800' }],
  [
    'a key that no index takes',
    'mutation ($t: String, $a: ID!) { addCredit(accountId: $a, usd: 1, idempotencyKey: $t) { available } }',
    { t: long(256), a: '00000000-0000-0000-0000-000000000000' },
  ],
])('refuses %s as invalid_request', async (_what, query, variables) => {
  const { errors } = await refused(query, variables);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['invalid_request']);
});

it.each([
  ['filter.mode', '{ requests(filter: {mode: "foo"}) { nodes { id } } }'],
  ['filter.webhook', '{ requests(filter: {webhook: "foo"}) { nodes { id } } }'],
  ['sort', '{ engines(sort: "foo") { id } }'],
  ['before', '{ alerts(before: "zzz") { id } }'],
  ['date', '{ engineChecks(id: "tesseract", date: "2026-02-31") { at } }'],
  ['date', '{ engineChecks(id: "tesseract", date: "2026-2-3") { at } }'],
])('refuses an argument by its name: %s of %s', async (argument, query) => {
  const { errors } = await refused(query);
  expect(errors).toMatchObject([
    { message: expect.stringMatching(`^${argument}: `), extensions: { code: 'invalid_request' } },
  ]);
});

it('takes the arguments that can be', async () => {
  const { data, codes } = await ask<{ sync: { nodes: object[] }; background: { nodes: object[] } }>(
    owner.caller,
    `{ sync: requests(filter: {mode: "sync"}) { nodes { id } } background: requests(filter: {mode: "async"}) { nodes { id } }
       engines(sort: "accuracy") { id } alerts(before: "alt_01K00000000000000000000000") { id }
       engineChecks(id: "tesseract", date: "2028-02-29") { at } }`,
  );
  expect(codes).toEqual([]);
  expect(data).toMatchObject({ sync: { nodes: [] }, background: { nodes: [] }, alerts: [], engineChecks: [] });
});

it('looks for what cannot be in vain, and does not fail', async () => {
  const { data, codes } = await ask<{ accounts: object }>(
    owner.caller,
    '{ accounts(search: "\\u0000") { nodes { id } } }',
  );
  expect({ data, codes }).toEqual({ data: { accounts: { nodes: [] } }, codes: [] });
  const deliveries = await ask(owner.caller, '{ webhookDeliveries(webhookId: "wh_\\u0000") { id } }');
  expect(deliveries.codes).toEqual(['not_found']);
});

async function refused(query: string, variables: object = {}) {
  const { body } = await owner.caller.call<{
    data: Record<string, unknown> | null;
    errors: { message: string; extensions: { code: string } }[];
  }>('POST', '/graphql', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return { data: body.data, errors: body.errors ?? [] };
}
