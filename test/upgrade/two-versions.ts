import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { runJson } from '../../bench/child.ts';
import { instantEngine, openGround } from '../../bench/stage.ts';
import type { OcrAnswer } from '../house/answers.ts';
import { Caller } from '../house/caller.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { type ProcessOptions, type ProductProcess, startProduct } from '../house/product.ts';
import { RedisServer } from '../house/redis.ts';
import { until } from '../house/until.ts';

export type Version = 'previous' | 'new';
type Role = NonNullable<ProcessOptions['role']>;

interface Usage {
  readonly total_requests: number;
}

/** One database under processes of two versions, and an account that calls any of them. */
export class TwoVersions implements AsyncDisposable {
  readonly #ground: Awaited<ReturnType<typeof openGround>>;
  readonly #folders: Readonly<Record<Version, string>>;
  readonly #secretsKey = randomBytes(32).toString('base64');
  #key = '';
  #redis: RedisServer | null = null;

  private constructor(ground: Awaited<ReturnType<typeof openGround>>, folders: Readonly<Record<Version, string>>) {
    this.#ground = ground;
    this.#folders = folders;
  }

  static async open(folders: Readonly<Record<Version, string>>): Promise<TwoVersions> {
    return new TwoVersions(await openGround(), folders);
  }

  async start(version: Version, role: Role = 'main'): Promise<ProductProcess> {
    if (role !== 'main') this.#redis ??= await RedisServer.start();
    return startProduct({
      databaseUrl: this.#ground.databaseUrl,
      project: this.#folders[version],
      engines: [instantEngine(this.#ground.engineUrl)],
      env: { SECRETS_KEY: this.#secretsKey, ...(this.#redis && { REDIS_URL: this.#redis.url }) },
      role,
    });
  }

  /** The account, made by the previous version. */
  async makeAccount(): Promise<void> {
    const wish = ['--email', 'upgrade@example.com', '--credit', '10', '--tier', 'unlimited'];
    const { account_id = '' } = await this.admin('previous', 'account', 'create', ...wish);
    const { api_key = '' } = await this.admin('previous', 'key', 'create', '--account', account_id);
    this.#key = api_key;
  }

  callerOf({ url }: ProductProcess): Caller {
    return new Caller(url, this.#key);
  }

  /** The books hold, by the version that proves them. */
  async prove(version: Version): Promise<void> {
    const proof = await this.admin<{ ok: boolean }>(version, 'doctor', '--full');
    equal(proof.ok, true, `${version}: ${JSON.stringify(proof)}`);
  }

  admin<T = Record<string, string>>(version: Version, ...args: string[]): Promise<T> {
    const env = { DATABASE_URL: this.#ground.databaseUrl, SECRETS_KEY: this.#secretsKey };
    return runJson<T>([`${this.#folders[version]}/server/dist/admin/main.js`, ...args], env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#redis?.[Symbol.asyncDispose]();
    await this.#ground[Symbol.asyncDispose]();
  }
}

/** What one process accepts, the other one shows, repeats, and forgets. */
export async function tryOver(here: Caller, there: Caller): Promise<void> {
  await repeats(here, there);
  await readsLater(here, there);
  await showsPages(here, there);
  await forgets(here, there);
  const [one, other] = await Promise.all([here.get<Usage>('/v1/usage'), there.get<Usage>('/v1/usage')]);
  ok(one.body.total_requests > 0);
  deepEqual(other.body, one.body);
}

async function repeats(here: Caller, there: Caller): Promise<void> {
  const body = await pictureBody('instant');
  const key = randomUUID();
  const first = await here.ocr(body, { key });
  deepEqual([first.status, first.body.status], [200, 'succeeded']);
  const again = await there.ocr(body, { key });
  deepEqual([again.status, again.body.request_id], [200, first.body.request_id]);
  equal(again.body.extracted_text, first.body.extracted_text);
  const other = await there.ocr(await pictureBody('instant'), { key });
  equal(other.status, 409);
}

async function readsLater(here: Caller, there: Caller): Promise<void> {
  const accepted = await here.ocr(await pictureBody('instant', { mode: 'async' }));
  equal(accepted.status, 202);
  equal((await ended(there, accepted.body.request_id)).status, 'succeeded');
}

async function showsPages(here: Caller, there: Caller): Promise<void> {
  const pdf = makePdf([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const { body } = await here.ocr(ocrBody('instant', pdf, { page_count: 3 }));
  equal(body.status, 'succeeded');
  const pages = await there.get<{ data: { page: number }[] }>(`/v1/ocr/${body.request_id}/pages`);
  deepEqual([pages.status, pages.body.data.map(({ page }) => page)], [200, [1, 2, 3]]);
}

async function forgets(here: Caller, there: Caller): Promise<void> {
  const { body } = await here.ocr(ocrBody('instant', await picture()));
  equal((await there.call('DELETE', `/v1/ocr/${body.request_id}`)).status, 204);
  equal((await here.get(`/v1/ocr/${body.request_id}`)).status, 410);
}

/** What a process has accepted when it is killed, another one ends. */
export async function inherits(from: ProductProcess, by: Caller, there: Caller): Promise<void> {
  const bodies = await Promise.all(Array.from({ length: 8 }, () => pictureBody('instant', { mode: 'async' })));
  const accepted = await Promise.all(bodies.map((body) => by.ocr(body)));
  deepEqual([...new Set(accepted.map(({ status }) => status))], [202]);
  await from.kill();
  for (const { body } of accepted) equal((await ended(there, body.request_id)).status, 'succeeded');
}

export async function readsAlone(caller: Caller): Promise<void> {
  const { status, body } = await caller.ocr(await pictureBody('instant'));
  deepEqual([status, body.status], [200, 'succeeded']);
}

/** A process that met a schema that it does not know says so. */
export function knowsOfNewerSchema(product: ProductProcess): Promise<boolean> {
  return until('it says that the schema is newer', () => product.logs().includes('newer schema'));
}

function ended(caller: Caller, id: string): Promise<OcrAnswer> {
  return until(`${id} has ended`, async () => {
    const { status, body } = await caller.get(`/v1/ocr/${id}`);
    match(String(status), /^20[02]$/);
    return body.status === 'processing' || body.status === 'queued' ? null : body;
  });
}
