import type { Row } from './books.ts';
import { brokenCancellation, brokenCancelled } from './cancelled.ts';
import { isLost } from './lost.ts';
import { chargeOf } from './marker.ts';
import { asItWent, hasEnded } from './page-ends.ts';
import { accountForCalls, type CallEvidence } from './paid-calls.ts';
import { languageOf, type Sent } from './sent.ts';
import { liesAboutMoney } from './words-about-money.ts';

/** Everything that is known after healing. */
export interface Evidence extends CallEvidence {
  /** What came to each path: the id of the webhook and the request that its body names. */
  readonly webhooks: ReadonlyMap<string, readonly { webhookId: string; requestId: string; status: string }[]>;
}

const MAX_STARTS = 3;

/** What does not hold: one sentence each, none at all after a good run. */
export function broken(evidence: Evidence): string[] {
  const sentBy = new Map(evidence.sent.map((sent) => [languageOf(sent), sent]));
  const rowsBy = Map.groupBy(evidence.rows, ({ language }) => language);
  return [
    ...evidence.rows.flatMap((row) => brokenRow(row, sentBy.get(row.language), evidence)),
    ...evidence.sent.flatMap((sent) => brokenSent(sent, rowsBy.get(languageOf(sent)) ?? [], evidence)),
    ...evidence.sent.flatMap((sent) => liesAboutMoney(sent, rowsBy.get(languageOf(sent)) ?? [])),
    ...accountForCalls(evidence).broken,
  ];
}

function brokenRow(row: Row, sent: Sent | undefined, { webhooks, calls, killed }: Evidence): string[] {
  if (!sent) return [`${row.id} is a request that nobody sent`];
  const found: string[] = [];
  if (!row.isFinished) found.push(`${row.id} is still ${row.status}`);
  // Nobody was told that it was accepted: it is given back as if it never had been.
  const isDisowned = row.errorCode === 'engine_unavailable' && sent.told?.requestId !== row.id;
  const dies = killed.product || killed.crashes.length > 0;
  const may = isDisowned || (dies && (row.mode === 'sync' || row.starts >= MAX_STARTS));
  if (isLost(row) && !may) found.push(`${row.id} was accepted and lost (${row.errorCode}) after ${row.starts} starts`);
  if (row.isCancelled) found.push(...brokenCancelled(row, sent, calls, killed.crashes.length > 0));
  else {
    const due = isLost(row)
      ? 0
      : sent.pages.reduce((sum, page) => sum + chargeOf(sent.engine, asItWent(page, calls)), 0);
    if (row.costNanoUsd !== due)
      found.push(`${row.id} (${row.outcome}) cost ${row.costNanoUsd} instead of ${due} nano-USD`);
  }
  if (sent.webhookPath !== null) {
    const got = webhooks.get(sent.webhookPath) ?? [];
    const own = got.filter(({ requestId }) => requestId === row.id);
    if (!isDisowned) found.push(...brokenWebhook(row, own));
    else if (own.length > 0) found.push(`${row.id} was announced, and its caller was told that it was not accepted`);
  }
  return found;
}

function brokenWebhook(row: Row, got: readonly { webhookId: string; requestId: string; status: string }[]): string[] {
  const ids = new Set(got.map(({ webhookId }) => webhookId));
  if (got.length === 0) return [`${row.id} was never announced`];
  if (ids.size > 1) return [`${row.id} was announced under ${ids.size} ids`];
  return got.every(({ status }) => status === got[0]?.status) ? [] : [`the webhooks of ${row.id} differ`];
}

function brokenSent(sent: Sent, rows: readonly Row[], { calls }: Evidence): string[] {
  const found: string[] = [];
  const name = languageOf(sent);
  const charged = rows.filter(({ costNanoUsd }) => costNanoUsd > 0);
  if (charged.length > 1) found.push(`${name} was charged more than once`);
  if (sent.told?.requestId != null) found.push(...brokenPromise(sent, rows));
  const starts = rows.reduce((sum, row) => sum + row.starts, 0);
  for (const [i, page] of sent.pages.entries()) {
    const times = calls.filter(({ serial }) => serial === page.serial).length;
    // A crash of the database takes back a synchronous acceptance that had begun already; each sending begins one.
    if (times > starts + sent.posts) found.push(`page ${page.serial} was read ${times} times in ${starts} starts`);
    const isPaid = charged.some((row) => hasEnded(row, i + 1));
    if (isPaid && times === 0) found.push(`page ${page.serial} was charged and never read`);
  }
  return found;
}

/** What a caller was told stays so. */
function brokenPromise(sent: Sent, rows: readonly Row[]): string[] {
  const { told } = sent;
  const row = rows.find(({ id }) => id === told?.requestId);
  if (!row) return [`${told?.requestId} was accepted and is gone`];
  // A deletion whose answer was lost may have been heard.
  const mayBeDeleted = sent.isDeleted || sent.cancelAfter?.how === 'delete';
  if (row.isDeleted ? !mayBeDeleted : sent.isDeleted) return [`${row.id} is ${row.isDeleted ? '' : 'not '}deleted`];
  // Who deletes it while it is at work is not told how it ended.
  if (told?.outcome == null && !sent.isDeleted) return [`${row.id} never ended for its caller`];
  if (told?.outcome == null) return brokenCancellation(sent, row);
  const isSame = told.outcome === row.outcome || told.outcome === row.status;
  if (!isSame) return [`${row.id} was told as ${told.outcome} and is ${row.outcome}`];
  if (Math.round(told.costUsd * 1e9) !== row.costNanoUsd) return [`${row.id} was told to cost ${told.costUsd} USD`];
  return brokenCancellation(sent, row);
}
