import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { OcrError, type OcrResult, type OcrRouter, type ReadOptions } from '@ocr-router/client';
import { onDisk } from '../paths/path-bytes.ts';
import { sourceOf } from '../paths/source-of.ts';
import { readPages } from '../read-pages.ts';
import { fileFault, isOfTheFileSystem } from './file-error.ts';
import type { Entry, Journal } from './journal.ts';
import { areThere, makeFolders, type OutputPaths, type Outputs } from './outputs.ts';
import type { Planned } from './plan.ts';
import { isNotRetained, type Text, textOf } from './text-of.ts';

/** The outcome of a document. */
export interface Outcome {
  readonly file: string;
  readonly pages: number;
  /** Whether its outputs are written. */
  readonly ok: boolean;
  readonly status: string;
  /** USD that this run was charged for it: 0 for a request that an earlier run has begun. */
  readonly costUsd: number;
  /** The reason why it failed, or what is missing of one that was read in part; null where nothing is. */
  readonly error: string | null;
  /** Notes of the gateway that are no failure, such as pages that have no text. */
  readonly warnings: readonly string[];
}

/**
 * A document that an earlier run has read, and whose outputs exist. Its text is kept nowhere else, so they cannot be written
 * again.
 */
export interface ReadBefore {
  readonly file: string;
  readonly before: 'done' | 'partial';
}

export function isInPart({ ok, status }: Outcome): boolean {
  return ok && status === 'partial';
}

export interface ReadJob {
  readonly client: OcrRouter;
  readonly journal: Journal;
  readonly outputs: Outputs;
  readonly options: ReadOptions;
  /** Whether no document may cost more than was planned for it. */
  readonly isBounded: boolean;
  /** Ids of the requests that are waited for. */
  readonly running: Set<string>;
  readonly signal: AbortSignal;
}

/** The key of a file's content, the options and the number of pages: the same again is the same request, which costs once. */
export async function keyOf(file: string, options: ReadOptions, pages: number): Promise<string> {
  const bytes = await readFile(onDisk(file));
  const document = createHash('sha256').update(bytes).digest('hex');
  return createHash('sha256')
    .update(JSON.stringify([document, options, pages]))
    .digest('hex');
}

/**
 * Reads one document and writes its outputs. A failure of the document is an outcome; throws where the run itself cannot go on.
 */
export async function readDocument(
  job: ReadJob,
  { file, pages, worstUsd }: Planned,
  paths: OutputPaths,
): Promise<Outcome | ReadBefore> {
  const { client, journal, options, isBounded, running, signal } = job;
  // Looked at first: a document whose outputs cannot be written would be paid for all the same.
  const content = await makeFolders(paths)
    .then(() => keyOf(file, options, pages))
    .catch(faultOf);
  if (typeof content !== 'string') {
    return { file, pages, ok: false, status: content.code, costUsd: 0, error: content.message, warnings: [] };
  }
  const failures = journal.failures(file, content);
  const key = failures === 0 ? content : `${content}-${failures}`;
  await journal.write({ file, state: 'begun', key });
  const bound = isBounded && worstUsd ? { max_cost_usd: worstUsd } : {};
  let id: string | null = null;
  let costUsd = 0;
  let isReplay = false;
  const onRequest = (requestId: string) => {
    id = requestId;
    running.add(requestId);
  };
  const onReplay = () => {
    isReplay = true;
  };
  const wish = { ...options, ...bound, page_count: pages, idempotencyKey: key, onRequest, onReplay, signal };
  try {
    const result = await readPages(client, sourceOf(file), wish);
    if (id !== null) running.delete(id);
    costUsd = isReplay ? 0 : result.cost_debited;
    return await keep(job, { file, pages, key, result, isReplay, costUsd }, paths);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = faultOf(thrown);
    // No `request_id`: the request itself has not failed, if there is one, and the next try asks for the same one.
    await journal.write({ file, state: 'failed', key, error: message });
    return { file, pages, ok: false, status: code, costUsd, error: message, warnings: [] };
  }
}

/** The answer to the request for a document. */
interface Answer {
  readonly file: string;
  readonly pages: number;
  /** The request's idempotency key. */
  readonly key: string;
  readonly result: OcrResult;
  /** Whether an earlier run has begun the request. */
  readonly isReplay: boolean;
  readonly costUsd: number;
}

/** Writes the outputs of an answer, as far as its text is kept, and its end in the journal. */
async function keep(
  { client, journal, outputs, signal }: ReadJob,
  { file, pages, key, result, isReplay, costUsd }: Answer,
  paths: OutputPaths,
): Promise<Outcome | ReadBefore> {
  const { request_id, status } = result;
  const text = await textOf(client, result, signal);
  const onWriting = (path: string) => journal.writing(file, key, path);
  const onUnwritten = (path: string) => journal.unwritten(file, key, path);
  if (text) await outputs.write({ file, result, text, onWriting, onUnwritten }, paths, signal);
  const isWritten = (path: string) => journal.hasWritten(file, path, key) || journal.hasReadUnnamed(file, key);
  const facts = { file, key, request_id, cost_usd: result.cost_debited };
  if (isReplay && isRead(result) && text === null && areThere(paths, isWritten)) {
    const before = status === 'partial' ? 'partial' : 'done';
    await journal.write({ ...facts, state: before, status });
    return { file, before };
  }
  const error = text ? text.gap : (result.provider_error ?? result.warning ?? `The request is ${status}.`);
  const isEmpty = isWithoutText(result) || journal.hadNoText(file, key);
  const mayBeLost = isReplay && status === 'partial' && !text && !isEmpty;
  const isLost = mayBeLost && (await isNotRetained(client, request_id, signal));
  const notes = { ...(error && { error }), ...(isEmpty && { is_empty: true }) };
  await journal.write({ ...facts, ...notes, ...endOf(result, text, isLost) });
  return { file, pages, ok: text !== null, status, costUsd, error, warnings: result.warnings ?? [] };
}

/** The code and message of a fault of this document alone; throws any other. */
function faultOf(thrown: unknown): { readonly code: string; readonly message: string } {
  if (isOfTheFileSystem(thrown)) return fileFault(thrown);
  if (thrown instanceof OcrError && !isOfTheRun(thrown)) return thrown;
  throw thrown;
}

function isRead({ status, cancelled_at }: OcrResult): boolean {
  return cancelled_at === undefined && (status === 'succeeded' || status === 'partial');
}

/**
 * Whether it was read in part and no part had a text. Where the text is not kept there is no preview, which is not an empty one.
 */
function isWithoutText({ status, extracted_text_preview }: OcrResult): boolean {
  return status === 'partial' && extracted_text_preview === '';
}

/**
 * The journal's end of a request. A cancelled one has failed, though some pages may be read: the next run reads it anew, as it
 * does one whose result is lost.
 */
function endOf(
  { status, cancelled_at }: OcrResult,
  text: Text | null,
  isLost: boolean,
): Pick<Entry, 'state' | 'status'> {
  if (cancelled_at !== undefined) return { state: 'failed', status: 'cancelled' };
  if (isLost) return { state: 'failed', status: 'not_retained' };
  if (text === null) return { state: 'failed', status };
  return { state: status === 'partial' ? 'partial' : 'done', status };
}

/** Whether no other document would fare better: a wrong key, an empty balance, a gateway that is gone. */
function isOfTheRun({ code }: OcrError): boolean {
  return [
    'authentication_error',
    'insufficient_scope',
    'insufficient_balance',
    'connection',
    'unknown_engine',
  ].includes(code);
}
