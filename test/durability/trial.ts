import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../house/caller.ts';
import { WebhookReceiver } from '../house/webhook-receiver.ts';
import { countOpen, readNumbersAfter, readRows } from './books.ts';
import { Client } from './client.ts';
import { broken, type Evidence } from './invariants.ts';
import { TEXT } from './marker.ts';
import { adminOf } from './operator.ts';
import type { Killed } from './paid-calls.ts';
import { languageOf, type Sent } from './sent.ts';
import type { Site } from './site.ts';

const CREDIT_USD = 1000;
/** Two leases and their sweeps, and the retries of webhooks. */
const HEAL_MS = 90_000;

/** One account, its callers and its receiver on a site, and the judgement at the end. */
export class Trial implements AsyncDisposable {
  readonly client: Client;
  readonly receiver: WebhookReceiver;
  readonly #site: Site;
  readonly #accountId: string;

  private constructor(site: Site, parts: { accountId: string; apiKey: string; receiver: WebhookReceiver }) {
    this.#site = site;
    this.#accountId = parts.accountId;
    this.receiver = parts.receiver;
    this.client = new Client(site.apiUrls.map((url) => new Caller(url, parts.apiKey)));
  }

  static async open(site: Site): Promise<Trial> {
    const account = await adminOf(site.databaseUrl).makeAccount(CREDIT_USD);
    return new Trial(site, { ...account, receiver: await WebhookReceiver.start() });
  }

  /** Waits until nothing is open, and looks at everything that is left. */
  async judge(sent: readonly Sent[], killed: Killed): Promise<{ evidence: Evidence; broken: string[] }> {
    const hung = await this.#healed();
    const languages = new Map(sent.map((each) => [each.told?.requestId ?? '', languageOf(each)]));
    const evidence: Evidence = {
      sent,
      rows: await readRows(this.#site.databaseUrl, this.#accountId, languages),
      calls: await this.#site.provider.calls(),
      webhooks: this.#webhooks(sent),
      killed,
    };
    const found = [
      ...hung,
      ...broken(evidence),
      ...(await this.#brokenBooks(evidence)),
      ...(await this.#brokenReplays(evidence)),
      ...(await this.#brokenDeletions(evidence)),
    ];
    return { evidence, broken: found };
  }

  async #healed(): Promise<string[]> {
    const deadline = performance.now() + HEAL_MS;
    for (;;) {
      const open = await countOpen(this.#site.databaseUrl);
      if (open === 0) return [];
      if (performance.now() > deadline)
        return [`${open} requests and deliveries are open ${HEAL_MS} ms after the last fault`];
      await sleep(200);
    }
  }

  #webhooks(sent: readonly Sent[]): Evidence['webhooks'] {
    return new Map(
      sent.flatMap(({ webhookPath }) => {
        if (webhookPath === null) return [];
        const got = this.receiver.received(webhookPath).map(({ headers, bytes }) => {
          const { request_id: requestId, status } = JSON.parse(bytes.toString()) as {
            request_id: string;
            status: string;
          };
          return { webhookId: String(headers['webhook-id']), requestId, status };
        });
        return [[webhookPath, got] as const];
      }),
    );
  }

  /** The wallet is the credit minus what the rows cost; nothing is held; the ledger's sums are zero. */
  async #brokenBooks({ rows }: Evidence): Promise<string[]> {
    const admin = adminOf(this.#site.databaseUrl);
    const { balance_usd, held_usd } = await admin.showAccount(this.#accountId);
    const doctor = await admin.doctor();
    const spent = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
    const left = Math.round(balance_usd * 1e9);
    return [
      ...(left === CREDIT_USD * 1e9 - spent ? [] : [`the balance is ${left} after ${spent} nano-USD of charges`]),
      ...(held_usd === 0 ? [] : [`${held_usd} USD are held`]),
      ...(doctor.ok ? [] : [`admin doctor: ${JSON.stringify(doctor.checks)}`]),
    ];
  }

  /** A key that is bound answers with the outcome that is recorded. */
  async #brokenReplays({ sent, rows, calls }: Evidence): Promise<string[]> {
    const found: string[] = [];
    for (const each of sent) {
      if (each.key === null || each.told?.requestId == null) continue;
      const { status, body } = await this.client.replay(each);
      const row = rows.find(({ id }) => id === each.told?.requestId);
      const cost = Math.round(body.cost_debited * 1e9);
      const isSame =
        body.request_id === row?.id &&
        (each.kind !== 'sync' || (body.status === row.outcome && cost === row.costNanoUsd)) &&
        !(each.isDeleted && body.extracted_text);
      if (!isSame)
        found.push(`${row?.id} (${row?.outcome}) is replayed as HTTP ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    const after = (await this.#site.provider.calls()).length;
    return after === calls.length ? found : [...found, `replays called the provider ${after - calls.length} times`];
  }

  /**
   * What was deleted is answered no more, and is nowhere in the database: no text, no setting. A try that failed before it, and
   * left the key free, is a request of its own: it is deleted by its own id.
   */
  async #brokenDeletions({ sent, rows }: Evidence): Promise<string[]> {
    const deleted = sent.filter(({ isDeleted }) => isDeleted);
    const told = new Set(sent.map((each) => each.told?.requestId));
    const earlierTries = new Set(rows.filter((row) => !row.isDeleted && !told.has(row.id)).map(({ id }) => id));
    const numbers = new Set(deleted.flatMap(({ pages }) => pages.map(({ serial }) => serial)));
    const left = await readNumbersAfter(this.#site.databaseUrl, [TEXT, '"x-']);
    const found = left
      .filter(({ number, requestId }) => numbers.has(number) && !earlierTries.has(requestId ?? ''))
      .map(({ table, number }) => `page ${number} was deleted and is in ${table}`);
    for (const { told } of deleted) {
      const status = await this.client.resultStatus(told?.requestId ?? '');
      if (status !== 410) found.push(`${told?.requestId} was deleted and is answered with HTTP ${status}`);
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.receiver[Symbol.asyncDispose]();
  }
}
