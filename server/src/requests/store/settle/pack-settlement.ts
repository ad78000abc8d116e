import { shortened, storableConfidence, storableInt, storableJson } from '../../../database/storable.ts';
import { storableUsage } from '../../judge/storable-usage.ts';
import { type Unquote, unkeptParts, unquoteOf } from '../../judge/unquoted.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { OcrPage } from '../../model/ocr-page.ts';
import type { Phases } from '../../times/phases.ts';
import { passingPages } from '../passing-pages.ts';
import type { RequestToSettle, Settlement } from './settlement.ts';

/** Characters kept of a provider's messages, and of its ids and versions. */
const LONGEST_MESSAGE = 4000;
const LONGEST_NAME = 200;

/** An item of the settlement's statement: everything that is written of one request. */
export interface PackedItem {
  /** A JSON object, still without `n` and `bytes_before`. */
  readonly json: string;
  /** The bytes of its pages' lines, one page after the other. */
  readonly lines: Buffer;
  /** The size of both, in characters and bytes. */
  readonly length: number;
  /** Whether it needs the statement that takes layouts. */
  readonly hasLayouts: boolean;
}

export interface Packing {
  readonly request: RequestToSettle;
  readonly settlement: Settlement;
  /** The text for a caller who waits in another process; null for none. */
  readonly passing: string | null;
  /** Whether that caller gets the pages, too. */
  readonly passesPages: boolean;
  readonly phases: Phases | null;
  readonly unbinds: boolean;
}

/** Makes the item of a request. */
export function packSettlement(packing: Packing): PackedItem {
  const { rows, lines } = packedLayouts(packing.settlement.pageRows);
  const packed = { ...packedRequest(packing), ...rows };
  const json = storableJson(JSON.stringify(packed));
  const hasLayouts = rows.layouts !== undefined || packing.passesPages;
  return { json, lines, length: json.length + lines.length, hasLayouts };
}

/** The parameters of the settlement's statement. With layouts each item has the number of bytes before its own lines. */
export function settlementValues(items: readonly PackedItem[], withLayouts: boolean): (string | Buffer)[] {
  let before = 0;
  const all = items.map(({ json, lines }, n) => {
    const place = withLayouts ? `"n":${n},"bytes_before":${before}` : `"n":${n}`;
    before += lines.length;
    return `{${place},${json.slice(1)}`;
  });
  const values = [`[${all.join()}]`];
  return withLayouts ? [...values, Buffer.concat(items.map(({ lines }) => lines))] : values;
}

function packedRequest({
  request,
  settlement,
  passing,
  passesPages,
  phases,
  unbinds,
}: Packing): Record<string, unknown> {
  const unquote = unquoteOf(settlement.attempts);
  return {
    id: request.id,
    account_id: request.accountId,
    fence: request.fence,
    unbinds,
    status: settlement.status,
    outcome: settlement.outcome,
    error_code: settlement.errorCode,
    provider_error: shortened(settlement.providerError, LONGEST_MESSAGE),
    engine: settlement.engine,
    charge: String(settlement.charge),
    kind: settlement.chargeKind,
    pages: settlement.pages,
    pages_total: settlement.pagesTotal,
    warnings: settlement.warnings,
    warning: settlement.warning,
    metadata: settlement.metadata,
    ...unkeptParts(settlement, unquote),
    applied_settings: settlement.appliedSettings,
    preview: settlement.preview,
    confidence: storableConfidence(settlement.confidence),
    provider_latency_ms: storableInt(settlement.providerLatencyMs),
    document_ms: storableInt(phases?.documentMs ?? null),
    render_ms: storableInt(phases?.renderMs ?? null),
    wall_times: phases?.clock.times ?? null,
    webhook_url: settlement.webhookUrl,
    page_rows: settlement.pageRows.map(packedPage),
    attempts: settlement.attempts.map((attempt) => packedAttempt(attempt, unquote)),
    passing,
    cancelled: settlement.cancelled,
    ...(request.documentHash && { document_hash: request.documentHash }),
    ...(passesPages && { passing_pages: passingPages(settlement.pageRows) }),
  };
}

function packedPage(page: OcrPage): Record<string, unknown> {
  return {
    number: page.number,
    engine: page.engine,
    source: page.source,
    state: page.state,
    text: page.text,
    confidence: storableConfidence(page.confidence),
    provider_latency_ms: storableInt(page.providerLatencyMs),
    cost: String(page.cost),
    code: page.code,
    ...messagesOf(page.message, unquoteOf([page])),
  };
}

function packedAttempt(attempt: Attempt, unquote: Unquote | null): Record<string, unknown> {
  return {
    id: attempt.id,
    number: attempt.number,
    engine: attempt.engine,
    outcome: attempt.outcome,
    provider_latency_ms: storableInt(attempt.providerLatencyMs),
    pages: attempt.pages,
    pages_tried: attempt.pagesTried,
    billing: attempt.billing,
    cost: String(attempt.cost),
    usage: storableUsage(attempt.usage),
    usage_doubted: attempt.isUsageDoubted,
    provider_request_id: shortened(attempt.providerRequestId, LONGEST_NAME),
    model_version: shortened(attempt.modelVersion, LONGEST_NAME),
    ...messagesOf(attempt.message, unquote),
    provider_fault: attempt.providerFault,
    quote_at: attempt.quoteAt,
  };
}

function messagesOf(message: string | null, unquote: Unquote | null): Record<string, string | null> {
  const kept = { message: shortened(message, LONGEST_MESSAGE) };
  return unquote ? { ...kept, message_unkept: shortened(unquote(message), LONGEST_MESSAGE) } : kept;
}

/**
 * The layouts of pages as the statement takes them, and the bytes of their lines, in which each layout has an offset and a length.
 * `rows` is empty where there are no layouts.
 */
function packedLayouts(pages: readonly OcrPage[]): { rows: { layouts?: object[] }; lines: Buffer } {
  const written: Buffer[] = [];
  const layouts: object[] = [];
  let at = 0;
  for (const { number, layout } of pages) {
    if (!layout) continue;
    const { textAngle, locatedBy, lines, ...same } = layout;
    const bytes = lines?.bytes;
    const place = bytes && { bytes_at: at, byte_count: bytes.length };
    layouts.push({ number, ...same, text_angle: textAngle, located_by: locatedBy, ...place });
    if (!bytes) continue;
    written.push(bytes);
    at += bytes.length;
  }
  return { rows: layouts.length > 0 ? { layouts } : {}, lines: Buffer.concat(written) };
}
