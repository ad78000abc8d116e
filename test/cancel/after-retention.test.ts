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

const DAYS = 20;
const JOB_PAGES = 22;

const reader = { max_pages_per_request: 50, concurrency: 8 };
const house = await openHouse({ engines: { reader, other: reader }, env: LOOPBACK_ALLOWED });
const receiver = await WebhookReceiver.start();
let operator: HouseAccount;

beforeAll(async () => {
  operator = await house.account({ scopes: ['operator', 'ocr:read'] });
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

interface Sent {
  readonly id: string;
  readonly key: string;
  readonly body: object;
}

/** An account with requests of all kinds, and a mark that stands in texts, in what the engine says, in settings and addresses. */
interface Owner {
  readonly account: HouseAccount;
  readonly mark: string;
  readonly engine: string;
  readonly sent: readonly Sent[];
  readonly jobId: string;
  /** The owner with what only a login or an operator may see. */
  readonly owning: Caller;
}

async function ownerWith(engine: string): Promise<Owner> {
  const account = await house.account();
  const mark = `mark${randomUUID().slice(0, 8)}`;
  const said = `It says ${mark}, which I do not repeat.`;
  const script = house.engines.script.bind(house.engines, engine);
  const told = (path: string, status = 200): OcrFields => ({
    ...{ mode: 'async', webhook_url: receiver.at(path, { status }), native_settings: { user: mark } },
  });
  const send = async (body: object, path: string | null = null): Promise<Sent> => {
    const key = `key-${randomUUID()}`;
    const reply = await account.caller.ocr(body, { key });
    if (path !== null) await receiver.gets(path);
    return { id: reply.body.request_id, key, body };
  };
  const sent: Sent[] = [];

  const end = 'It is payable within thirty days.\nThank you for your order.';
  script(says(`The sum of ${mark}.\n${end}\nThe sum of ${mark}.\n${end}`));
  sent.push(await send(await pictureBody(engine, told(`/${mark}/read`)), `/${mark}/read`));
  script(refuses(said));
  sent.push(await send(await pictureBody(engine, told(`/${mark}/refused`, 500)), `/${mark}/refused`));
  sent.push(await send(ocrBody('pdf-text', makePdf([{ text: mark }]), { include: ['words', 'tables'] })));
  let calls = 0;
  script(() => (++calls === 1 ? says(`the text of ${mark}`) : refuses(said)));
  const drawn = { content: '0 g 9 9 300 40 re f' };
  sent.push(await send(ocrBody(engine, makePdf([drawn, drawn]), { page_count: 2, include: ['pages'] })));

  script(async (call) => ((await call.size()).width % 2 === 0 ? says(`the text of ${mark}`) : refuses(said)));
  const jpeg = await pictureAs('jpeg');
  const sizes = Array.from({ length: JOB_PAGES }, (_, i) => [100 + i, 80] as const);
  const document = makePdf(sizes.map((size) => ({ size, picture: { jpeg, width: 64, height: 48 } })));
  const job = await send(ocrBody(engine, document, { mode: 'async', page_count: JOB_PAGES, settings: { dpi: 72 } }));
  sent.push(job);
  await until('the job has ended', async () => {
    const { body } = await account.caller.get(`/v1/ocr/${job.id}`);
    return body.status === 'partial';
  });
  script(fails(500, `broke at ${mark}`));
  sent.push(await send(await pictureBody(engine, told(`/${mark}/failed`)), `/${mark}/failed`));

  const [row] = await readSql<{ id: string }>(
    house.databaseUrl,
    `select job_id as id from ocr_request where id = '${job.id}'`,
  );
  const [accountId, scopes] = [account.accountId, ['operator', 'ocr:read'] as const];
  const owning = house.callerWith((await house.admin.createKey({ accountId, scopes })).api_key);
  await until('the deliveries are over', async () => {
    const open = await readSql(house.databaseUrl, "select 1 from webhook_delivery where status = 'pending'");
    return open.length === 0;
  });
  return { account, mark, engine, sent, jobId: row?.id ?? '', owning };
}

/** When it was deleted is not known before. */
const REQUEST = wholeSelection('OcrRequest', ['deletedAt']);

const READS: Readonly<Record<string, string>> = {
  request: `query ($id: ID!) { request(id: $id) ${REQUEST} }`,
  node: `query ($id: ID!) { node(id: $id) { ... on OcrRequest ${REQUEST} } }`,
  cancelRequest: `mutation ($id: ID!) { cancelRequest(id: $id) ${REQUEST} }`,
};
const OUTCOME = `query ($id: ID!) { ocrOutcome(id: $id) ${REQUEST} }`;

const LISTS: Readonly<Record<string, string>> = {
  requests: `{ requests { nodes ${REQUEST} } }`,
  withText: `query ($mark: String!) { requests(filter: { text: $mark }) { nodes ${REQUEST} } }`,
};
const DELIVERIES = `{ webhookDeliveries ${wholeSelection('WebhookDelivery')} }`;

const OF_OPERATORS: Readonly<Record<string, string>> = {
  slowestRequests: `query ($account: ID!) { slowestRequests(filter: { accountId: $account }) ${REQUEST} }`,
  failedDeliveries: `query ($account: ID!) {
    failedDeliveries(accountId: $account) { nodes ${wholeSelection('FailedDelivery')} } }`,
  engineErrors: `query ($engine: ID!) {
    engineErrors(id: $engine, hours: 720) { endings { outcome providerFault runs lastMessage lastRequestId } } }`,
  lastError: 'query ($engine: ID!) { engine(id: $engine) { lastError health { detail } } }',
};

type Shown = Record<string, unknown>;

/** What its owner and an operator are shown of the account, each by its name. */
async function reads({ account: { accountId, caller, apiKey }, owning, ...of }: Owner): Promise<Shown> {
  const shown: Shown = {};
  for (const [n, { id, key, body }] of of.sent.entries()) {
    for (const [name, operation] of Object.entries(READS)) {
      shown[`${name} ${n}`] = await asked(caller, operation, { id });
      shown[`${name} ${n}, operator`] = await asked(operator.caller, operation, { id });
    }
    shown[`outcome ${n}`] = await asked(caller, OUTCOME, { id });
    const { status, headers, text } = await caller.ocr(body, { key });
    shown[`replay ${n}`] = { status, warnings: headers['x-ocr-warnings'], text };
    shown[`cancel ${n}`] = (await caller.call('POST', `/v1/ocr/${id}/cancel`)).text;
  }
  const variables = { account: accountId, engine: of.engine, mark: of.mark };
  for (const [name, operation] of Object.entries(LISTS)) shown[name] = await asked(caller, operation, variables);
  shown['deliveries'] = await asked(owning, DELIVERIES);
  for (const [name, operation] of Object.entries(OF_OPERATORS)) {
    shown[name] = await asked(operator.caller, operation, variables);
  }
  shown['job'] = (await caller.get(`/v1/ocr/jobs/${of.jobId}/status`)).text;
  return { ...shown, ...(await exported(apiKey)) };
}

async function asked(caller: Caller, operation: string, variables: object = {}): Promise<unknown> {
  const { data, codes } = await ask(caller, operation, variables);
  expect(codes, operation).toEqual([]);
  return data;
}

async function exported(apiKey: string): Promise<Shown> {
  const url = new URL('/api/export', house.product.dashboardUrl);
  const reply = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  const files = await readArchive(Buffer.from(await reply.arrayBuffer()));
  const requests = linesOf<{ deleted_at: string | null }>(files, 'requests').map(({ deleted_at: _, ...rest }) => rest);
  const [deliveries, positions] = [linesOf(files, 'deliveries'), linesOf(files, 'positions')];
  return { 'exported requests': requests, 'exported deliveries': deliveries, 'exported positions': positions };
}

/** The names of the answers that have the mark. */
function marked(shown: Shown, mark: string): string[] {
  return Object.keys(shown).filter((name) => JSON.stringify(shown[name]).includes(mark));
}

/** Of the text that a PDF has itself operators see nothing, nor anything else that has the mark. */
const UNMARKED = ['request 2', 'node 2', 'cancelRequest 2'].map((name) => `${name}, operator`);

async function says410(caller: Caller, { id = '' }: Partial<Sent> = {}, why = ''): Promise<boolean> {
  const { status, text } = await caller.get(`/v1/ocr/${id}`);
  return status === 410 && text.includes(why);
}

it('what is shown of a request whose days are over is what is shown of it after its deletion', async () => {
  const young = await ownerWith('reader');
  const moved = young.sent.map(async (one) => ({ ...one, id: await movedBack(house.databaseUrl, one.id, DAYS + 1) }));
  const owner = { ...young, sent: await Promise.all(moved) };
  const { account, mark } = owner;
  const kept = await reads(owner);
  expect(Object.keys(kept).filter((name) => !marked(kept, mark).includes(name))).toEqual(UNMARKED);
  // The setting alone: the clean-up of this process came and went at its start.
  await runSql(house.databaseUrl, `update account set text_days = ${DAYS} where id = '${account.accountId}'`);
  await until('the key knows of it', () => says410(account.caller, owner.sent[0], `${DAYS} days`));
  const hidden = await reads(owner);
  const deleted = `select 1 from ocr_request where account_id = '${account.accountId}' and deleted_at is not null`;
  expect(await readSql(house.databaseUrl, deleted)).toEqual([]);
  await house.admin.setRetention(account.accountId, DAYS);
  const gone = await reads(owner);
  expect(marked(gone, mark)).toEqual([]);
  expect(hidden).toEqual(gone);
});

it('what is shown of a request after history was switched off is what is shown of it after the clean-up', async () => {
  const owner = await ownerWith('other');
  const { account, mark } = owner;
  const kept = await reads(owner);
  expect(Object.keys(kept).filter((name) => !marked(kept, mark).includes(name))).toEqual(UNMARKED);
  // The setting alone: nothing says that there is something to clean up.
  await runSql(
    house.databaseUrl,
    `update account set history = false, history_off_at = now() where id = '${account.accountId}'`,
  );
  await until('the key knows of it', () => says410(account.caller, owner.sent[0]));
  const hidden = await reads(owner);
  const texts = `select 1 from ocr_request where account_id = '${account.accountId}' and text_retained`;
  expect(await readSql(house.databaseUrl, texts)).toHaveLength(owner.sent.length);
  await house.admin.setHistory(account.accountId, true);
  await house.admin.setHistory(account.accountId, false);
  await until('they are cleaned up', async () => (await readSql(house.databaseUrl, texts)).length === 0);
  await until('the key knows of it again', async () => !(await caches(account.caller)));
  const gone = await reads(owner);
  expect(hidden).toEqual(gone);
  // Settings and addresses stay; what was read and said does not.
  const said = JSON.stringify(hidden);
  for (const words of [
    `The sum of ${mark}`,
    `It says ${mark}`,
    `broke at ${mark}`,
    'The preview is all that is kept',
  ]) {
    expect(said).not.toContain(words);
  }
});

/** Whether a key still counts as one of an account that keeps texts. */
async function caches(caller: Caller): Promise<boolean> {
  return (await caller.ocr(await pictureBody('pdf-text', { mode: 'async' }))).text.includes('poll_url');
}

it('a webhook of it that is sent again is what it is after its deletion, too', async () => {
  const account = await house.account();
  const [open, registered] = ['/again/open', '/again/registered'];
  house.engines.script('reader', says('the text of what is sent again'));
  const ids: string[] = [];
  for (const path of [open, registered]) {
    const body = await pictureBody('reader', { mode: 'async', webhook_url: receiver.at(path) });
    const { request_id: id } = (await account.caller.ocr(body)).body;
    await receiver.gets(path);
    ids.push(`whd_${id.slice(4)}`);
    const found = `select 1 from webhook_delivery where request_id = '${id}' and status = 'delivered'`;
    await until('it is written down', async () => (await readSql(house.databaseUrl, found)).length === 1);
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

it('nor does one tell again what was read before history was switched off', async () => {
  const { accountId, caller } = await house.account();
  const path = '/again/off';
  house.engines.script('reader', says('the text of what is sent again'));
  const sent = await caller.ocr(await pictureBody('reader', { mode: 'async', webhook_url: receiver.at(path) }));
  const [first] = await receiver.gets(path);
  expect(first?.bytes.toString()).toContain('what is sent again');
  const id = sent.body.request_id;
  const found = `select 1 from webhook_delivery where request_id = '${id}' and status = 'delivered'`;
  await until('it is written down', async () => (await readSql(house.databaseUrl, found)).length === 1);
  await runSql(
    house.databaseUrl,
    `update account set history = false, history_off_at = now() where id = '${accountId}'`,
  );
  const again = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { status } }';
  expect((await ask(operator.caller, again, { id: `whd_${id.slice(4)}` })).codes).toEqual([]);
  const second = (await receiver.gets(path, 2))[1]?.bytes.toString() ?? '';
  expect(JSON.parse(second)).toMatchObject({ status: 'succeeded', extracted_text: null });
  expect(second).not.toContain('what is sent again');
});
