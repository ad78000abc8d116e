import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../house/caller.ts';
import { fails, refuses, says } from '../house/engine-answers.ts';
import { ask } from '../house/graphql.ts';
import { type HouseAccount, LOOPBACK_ALLOWED, openHouse } from '../house/house.ts';
import { type OcrFields, ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { pictureAs } from '../house/pictures.ts';
import { linesOf, readArchive } from '../house/read-archive.ts';
import { readSql, runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';
import { wholeSelection } from '../house/whole-selection.ts';
import { movedBack } from './moved-back.ts';

const house = await openHouse({
  engines: { reader: { max_pages_per_request: 50, concurrency: 8 } },
  env: LOOPBACK_ALLOWED,
});
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Stands in texts, in what the engine says, in settings and in addresses. */
const MARK = `mark${randomUUID().slice(0, 8)}`;
const SAID = `It says ${MARK}, which I do not repeat.`;
const JOB_PAGES = 22;
const DAYS = 20;

interface Sent {
  readonly id: string;
  readonly key: string;
  readonly body: object;
}

let owner: HouseAccount;
let operator: HouseAccount;
/** The owner, with what only a login or an operator may see. */
let owning: Caller;
let sent: Sent[];
let jobId: string;

async function send(body: object, path: string | null = null): Promise<Sent> {
  const key = `key-${randomUUID()}`;
  const reply = await owner.caller.ocr(body, { key });
  if (path !== null) await receiver.gets(path);
  return { id: reply.body.request_id, key, body };
}

const told = (path: string): OcrFields => ({
  ...{ mode: 'async', webhook_url: receiver.at(path), native_settings: { user: MARK } },
});

beforeAll(async () => {
  owner = await house.account();
  operator = await house.account({ scopes: ['operator', 'ocr:read'] });
  const scopes = ['operator', 'ocr:read'] as const;
  owning = house.callerWith((await house.admin.createKey({ accountId: owner.accountId, scopes })).api_key);
  const drawn = { content: '0 g 9 9 300 40 re f' };
  const script = house.engines.script.bind(house.engines, 'reader');

  script(says(`The sum of ${MARK}.\nIt is payable.\nThank you.\nThe sum of ${MARK}.\nIt is payable.\nThank you.`));
  const succeeded = await send(await pictureBody('reader', told(`/${MARK}/read`)), `/${MARK}/read`);
  script(refuses(SAID));
  const path = `/${MARK}/refused`;
  const refusing = { ...(await pictureBody('reader', told(path))), webhook_url: receiver.at(path, { status: 500 }) };
  const refused = await send(refusing, path);
  const placed = await send(ocrBody('pdf-text', makePdf([{ text: MARK }]), { include: ['words', 'tables'] }));
  let calls = 0;
  script(() => (++calls === 1 ? says(`the text of ${MARK}`) : refuses(SAID)));
  const partial = await send(ocrBody('reader', makePdf([drawn, drawn]), { page_count: 2, include: ['pages'] }));

  script(async (call) => ((await call.size()).width % 2 === 0 ? says(`the text of ${MARK}`) : refuses(SAID)));
  const jpeg = await pictureAs('jpeg');
  const sizes = Array.from({ length: JOB_PAGES }, (_, i) => [100 + i, 80] as const);
  const document = makePdf(sizes.map((size) => ({ size, picture: { jpeg, width: 64, height: 48 } })));
  const job = await send(ocrBody('reader', document, { mode: 'async', page_count: JOB_PAGES, settings: { dpi: 72 } }));
  await until('the job has ended', async () => (await owner.caller.get(`/v1/ocr/${job.id}`)).body.status === 'partial');
  script(fails(500, `broke at ${MARK}`));
  const failed = await send(await pictureBody('reader', told(`/${MARK}/failed`)), `/${MARK}/failed`);
  await until('the deliveries are over', async () => {
    const open = await readSql(house.databaseUrl, "select 1 from webhook_delivery where status = 'pending'");
    return open.length === 0;
  });
  sent = await Promise.all(
    [succeeded, refused, placed, partial, job, failed].map(async ({ id, ...one }) => ({
      ...one,
      id: await movedBack(house.databaseUrl, id, DAYS + 1),
    })),
  );
  const [row] = await readSql<{ id: string }>(
    house.databaseUrl,
    `select job_id as id from ocr_request where account_id = '${owner.accountId}' and job_id is not null`,
  );
  jobId = row?.id ?? '';
});

/** When it was deleted is not known before. */
const UNKNOWN = ['deletedAt'];
const REQUEST = wholeSelection('OcrRequest', UNKNOWN);

const OUTCOME = `query ($id: ID!) { ocrOutcome(id: $id) ${REQUEST} }`;

const READS: Readonly<Record<string, string>> = {
  request: `query ($id: ID!) { request(id: $id) ${REQUEST} }`,
  node: `query ($id: ID!) { node(id: $id) { ... on OcrRequest ${REQUEST} } }`,
  cancelRequest: `mutation ($id: ID!) { cancelRequest(id: $id) ${REQUEST} }`,
};

const LISTS: Readonly<Record<string, string>> = {
  requests: `{ requests { nodes ${REQUEST} } }`,
  withText: `{ requests(filter: { text: "${MARK}" }) { nodes ${REQUEST} } }`,
};

const OF_OPERATORS: Readonly<Record<string, string>> = {
  slowestRequests: `{ slowestRequests(filter: { allAccounts: true }) ${REQUEST} }`,
  failedDeliveries: `{ failedDeliveries { nodes ${wholeSelection('FailedDelivery')} } }`,
  engineErrors:
    '{ engineErrors(id: "reader", hours: 720) { endings { outcome providerFault runs lastMessage lastRequestId } } }',
  lastError: '{ engine(id: "reader") { lastError health { detail } } }',
};

type Shown = Record<string, unknown>;

/** What owners and operators are shown of the requests, each by its name. */
async function reads(): Promise<Shown> {
  const { caller } = owner;
  const shown: Shown = {};
  for (const [n, { id, key, body }] of sent.entries()) {
    for (const [name, operation] of Object.entries(READS)) {
      shown[`${name} ${n}`] = await asked(caller, operation, { id });
      shown[`${name} ${n}, operator`] = await asked(operator.caller, operation, { id });
    }
    shown[`outcome ${n}`] = await asked(caller, OUTCOME, { id });
    const { status, headers, text } = await caller.ocr(body, { key });
    shown[`replay ${n}`] = { status, warnings: headers['x-ocr-warnings'], text };
    shown[`cancel ${n}`] = (await caller.call('POST', `/v1/ocr/${id}/cancel`)).text;
  }
  for (const [name, operation] of Object.entries(LISTS)) shown[name] = await asked(caller, operation);
  shown['deliveries'] = await asked(owning, `{ webhookDeliveries ${wholeSelection('WebhookDelivery')} }`);
  for (const [name, operation] of Object.entries(OF_OPERATORS)) shown[name] = await asked(operator.caller, operation);
  shown['job'] = (await caller.get(`/v1/ocr/jobs/${jobId}/status`)).text;
  return { ...shown, ...(await exported()) };
}

async function asked(caller: Caller, operation: string, variables: object = {}): Promise<unknown> {
  const { data, codes } = await ask(caller, operation, variables);
  expect(codes, operation).toEqual([]);
  return data;
}

async function exported(): Promise<Shown> {
  const url = new URL('/api/export', house.product.dashboardUrl);
  const reply = await fetch(url, { headers: { authorization: `Bearer ${owner.apiKey}` } });
  const files = await readArchive(Buffer.from(await reply.arrayBuffer()));
  const requests = linesOf<{ deleted_at: string | null }>(files, 'requests').map(({ deleted_at: _, ...rest }) => rest);
  const [deliveries, positions] = [linesOf(files, 'deliveries'), linesOf(files, 'positions')];
  return { 'exported requests': requests, 'exported deliveries': deliveries, 'exported positions': positions };
}

it('what is shown of a request whose days are over is what is shown of it after the purge', async () => {
  const kept = await reads();
  const unmarked = Object.entries(kept).filter(([, answer]) => !JSON.stringify(answer).includes(MARK));
  // Operators see no texts, and nothing else of that one has the mark.
  const placed = ['request 2', 'node 2', 'cancelRequest 2'].map((name) => `${name}, operator`);
  expect(unmarked.map(([name]) => name)).toEqual(placed);
  // The setting alone: the purge of this process came and went at its start.
  await runSql(house.databaseUrl, `update account set text_days = ${DAYS} where id = '${owner.accountId}'`);
  await until('the key knows of it', async () =>
    (await owner.caller.get(`/v1/ocr/${sent[0]?.id}`)).text.includes(`${DAYS} days`),
  );
  const hidden = await reads();
  const deleted = await readSql(house.databaseUrl, 'select 1 from ocr_request where deleted_at is not null');
  expect(deleted).toEqual([]);
  await house.admin.setRetention(owner.accountId, DAYS);
  const gone = await reads();
  for (const [name, answer] of Object.entries(gone)) {
    expect(JSON.stringify(answer), name).not.toContain(MARK);
  }
  expect(hidden).toEqual(gone);
});

it('a webhook of it that is sent again is what it is after the purge, too', async () => {
  const account = await house.account();
  const [open, registered] = ['/again/open', '/again/registered'];
  house.engines.script('reader', says(`the text of ${MARK}`));
  const ids: string[] = [];
  for (const path of [open, registered]) {
    const body = await pictureBody('reader', { mode: 'async', webhook_url: receiver.at(path) });
    const { request_id: id } = (await account.caller.ocr(body)).body;
    await receiver.gets(path);
    ids.push(`whd_${id.slice(4)}`);
    await until('it is written down', async () => (await delivered(id)) === 1);
    await movedBack(house.databaseUrl, id, DAYS + 1);
  }
  await runSql(
    house.databaseUrl,
    `insert into webhook (id, account_id, url, signing_secret, events, is_active)
     values ('wh_' || substr($1, 5), $2, $3, 'whsec_' || repeat('A', 43) || '=', '{ocr.completed}', true)`,
    [ids[1], account.accountId, receiver.at(registered)],
  );
  await runSql(house.databaseUrl, `update account set text_days = ${DAYS} where id = '${account.accountId}'`);
  const again = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { status } }';
  const many = 'mutation ($ids: [ID!]!) { redeliverWebhooks(deliveryIds: $ids) }';
  await runSql(house.databaseUrl, "update webhook_delivery set status = 'failed' where id = $1", [ids[0]]);
  expect((await ask(operator.caller, many, { ids: [ids[0]] })).data).toEqual({ redeliverWebhooks: 0 });
  expect((await ask(operator.caller, again, { id: ids[0] })).codes).toEqual(['invalid_request']);
  expect((await ask(operator.caller, again, { id: ids[1] })).codes).toEqual([]);
  const told = (await receiver.gets(registered, 2))[1]?.bytes.toString() ?? '';
  expect(JSON.parse(told)).toMatchObject({ status: 'succeeded', extracted_text: null, extracted_text_preview: null });
  expect((await receiver.gets(open, 1)).length).toBe(1);
});

async function delivered(requestId: string): Promise<number> {
  const found = `select 1 from webhook_delivery where request_id = $1 and status = 'delivered'`;
  return (await readSql(house.databaseUrl, found, [requestId])).length;
}
