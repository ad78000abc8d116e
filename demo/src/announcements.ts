import { Dice } from './dice.ts';
import type { DemoRequest } from './traffic.ts';

const PREVIEW = 2000;
/** Between two attempts, as the product makes them. */
const PAUSES_MS = [0, 500, 1000, 1500];
/** Of receivers: how often one attempt goes wrong. */
const FAILS = 0.05;

/** How the end of a request was announced, attempt by attempt; null for one without a webhook. */
export function announcementOf(request: DemoRequest, webhookId: string): Record<string, unknown> | null {
  const { account, mode, id, finishedAt } = request;
  if (mode !== 'async' || account.hook === null) return null;
  const dice = new Dice('announcement', id);
  const deliveryId = `whd_${id.slice(4)}`;
  const tries: ReturnType<typeof tryAt>[] = [];
  let at = finishedAt;
  for (const [n, pauseMs] of PAUSES_MS.entries()) {
    at += pauseMs;
    const one = tryAt({ deliveryId, webhookId, attempt: n + 1, at }, dice);
    tries.push(one);
    at += one.latency_ms;
    if (one.status === 'delivered') break;
  }
  const { status, response_code, latency_ms, error, attempt } =
    tries.at(-1) ?? tryAt({ deliveryId, webhookId, attempt: 1, at }, dice);
  return {
    ...{ id: deliveryId, webhook_id: webhookId, url: account.hook, origin: new URL(account.hook).host },
    ...{ status, attempt, response_code, latency_ms, error, ended_at: new Date(at), body: bodyOf(request), tries },
  };
}

function tryAt(
  { deliveryId, webhookId, attempt, at }: { deliveryId: string; webhookId: string; attempt: number; at: number },
  dice: Dice,
) {
  // A receiver that failed once is likely to fail again.
  const fails = dice.happens(attempt === 1 ? FAILS : 0.6);
  const latencyMs = Math.max(3, Math.round(dice.skewed(85, 0.6)));
  return {
    ...{ delivery_id: deliveryId, webhook_id: webhookId, attempt, at: new Date(at), latency_ms: latencyMs },
    status: fails ? ('failed' as const) : ('delivered' as const),
    response_code: fails ? 503 : 200,
    error: fails ? 'The receiver answered 503.' : null,
  };
}

/** As the product renders `ocr.completed`. */
function bodyOf(request: DemoRequest): string {
  const { id, outcome, status, engine, cost, latencyMs, message, pages, pagesTotal, finishedAt } = request;
  const isRead = status === 'succeeded';
  const text = isRead ? request.texts.join('\n\n---\n\n') : null;
  return JSON.stringify({
    ...{ event: 'ocr.completed', request_id: id, status: outcome, engine: engine.id },
    extracted_text: text !== null && text.length <= PREVIEW ? text : null,
    extracted_text_preview: text?.slice(0, PREVIEW) ?? null,
    ...{ cost_usd: cost / 1e9, provider_latency_ms: latencyMs, provider_error: isRead ? null : message },
    ...(isRead && { pages, pages_total: pagesTotal }),
    timestamp: new Date(finishedAt).toISOString(),
  });
}
