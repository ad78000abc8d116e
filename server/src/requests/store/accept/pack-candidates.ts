import type { Candidate } from './acceptance.ts';

const NOTHING = Buffer.alloc(0);
/** More than any balance: an item with this hold is never inserted. */
const IMPOSSIBLE = 9_000_000_000_000_000_000n;

/**
 * The candidates as the statement takes them, as JSON, and their documents in one buffer, in which each item has its offset
 * and length.
 */
export function packCandidates(candidates: readonly Candidate[], owner: string): { items: string; blob: Buffer } {
  const claimed = new Set<string>();
  let at = 0;
  const documents: Buffer[] = [];
  const items = candidates.map((candidate, n) => {
    const { request, hold, bytes, tokenPriced, starts, level } = candidate;
    // Two calls with one key in the same batch: the second cannot be accepted now, and finds the first when it is sent again.
    const claim = `${request.accountId} ${request.idempotencyKey}`;
    const twice = request.idempotencyKey !== null && claimed.has(claim);
    claimed.add(claim);
    const item = {
      n,
      id: request.id,
      account_id: request.accountId,
      key_id: request.keyId,
      idempotency_key: request.idempotencyKey,
      fingerprint: request.fingerprint,
      engine: request.requestedEngine,
      mode: request.mode,
      effective: request.effective,
      warnings: request.notes,
      pages_total: request.pagesTotal,
      hold: twice ? String(IMPOSSIBLE) : String(hold),
      token_priced: tokenPriced,
      lease_owner: starts ? owner : null,
      level,
      job_id: request.jobId,
      prices: request.prices,
      document_at: at,
      document_length: twice ? 0 : (bytes?.length ?? 0),
      discard: request.discard,
      trace: request.trace,
    };
    if (bytes && !twice) {
      documents.push(bytes);
      at += bytes.length;
    }
    return item;
  });
  const [only = NOTHING] = documents; // a single document is not copied
  return { items: JSON.stringify(items), blob: documents.length > 1 ? Buffer.concat(documents) : only };
}
