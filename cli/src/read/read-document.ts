import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { OcrError, type OcrResult, type OcrRouter, type ReadOptions } from '@ocr-router/client';
import { readPages } from '../read-pages.ts';
import { fileFault, isOfTheFileSystem } from './file-error.ts';
import type { Entry, Journal } from './journal.ts';
import { areThere, makeFolders, type OutputPaths, type Outputs } from './outputs.ts';
import type { Planned } from './plan.ts';
import { isNotRetained, type Text, textOf } from './text-of.ts';

/** What became of a document. */
export interface Outcome {
  readonly file: string;
  readonly pages: number;
  /** Its outputs are written. */
  readonly ok: boolean;
  readonly status: string;
  /** What this run was charged for it: nothing for what an earlier one has begun. */
  readonly costUsd: number;
  /** Why it failed, or what is missing of one that was read in part. */
  readonly error: string | null;
}

/** An earlier run has read it, and its outputs are there; its text is kept nowhere else, so that they cannot be written again. */
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
  /** No document may cost more than was planned for it. */
  readonly isBounded: boolean;
  /** Requests that are waited for. */
  readonly running: Set<string>;
  readonly signal: AbortSignal;
}

/** What a file and a wish are known by: the same again is the same request, which costs once. */
export async function keyOf(file: string, options: ReadOptions, pages: number): Promise<string> {
  const bytes = await readFile(file);
  const document = createHash('sha256').update(bytes).digest('hex');
  return createHash('sha256')
    .update(JSON.stringify([document, options, pages]))
    .digest('hex');
}

/** Reads one document and writes its outputs. Its failure is an outcome; throws when the run itself cannot go on. */
export async function readDocument(
  { client, journal, outputs, options, isBounded, running, signal }: ReadJob,
  { file, pages, worstUsd }: Planned,
  paths: OutputPaths,
): Promise<Outcome | ReadBefore> {
  // What could not be written would be paid for all the same.
  const key = await makeFolders(paths)
    .then(() => keyOf(file, options, pages))
    .catch(faultOf);
  if (typeof key !== 'string') return { file, pages, ok: false, status: key.code, costUsd: 0, error: key.message };
  const failures = journal.failures(file, key);
  const idempotencyKey = failures === 0 ? key : `${key}-${failures}`;
  await journal.write({ file, state: 'begun', key: idempotencyKey });
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
  const wish = { ...options, ...bound, page_count: pages, idempotencyKey, onRequest, onReplay, signal };
  try {
    const result = await readPages(client, file, wish);
    if (id !== null) running.delete(id);
    const { request_id, status } = result;
    costUsd = isReplay ? 0 : result.cost_debited;
    const text = await textOf(client, result, signal);
    const onWriting = (path: string) => journal.writing(file, idempotencyKey, path);
    const onUnwritten = (path: string) => journal.unwritten(file, idempotencyKey, path);
    if (text) await outputs.write({ file, result, text, onWriting, onUnwritten }, paths, signal);
    const isWritten = (path: string) =>
      journal.hasWritten(file, path, idempotencyKey) || journal.hasReadUnnamed(file, idempotencyKey);
    const facts = { file, key: idempotencyKey, request_id, cost_usd: result.cost_debited };
    if (isReplay && isRead(result) && text === null && areThere(paths, isWritten)) {
      const before = status === 'partial' ? 'partial' : 'done';
      await journal.write({ ...facts, state: before, status });
      return { file, before };
    }
    const error = text ? text.gap : (result.provider_error ?? result.warning ?? `The request is ${status}.`);
    const isEmpty = isWithoutText(result) || journal.hadNoText(file, idempotencyKey);
    const mayBeLost = isReplay && status === 'partial' && !text && !isEmpty;
    const isLost = mayBeLost && (await isNotRetained(client, request_id, signal));
    const notes = { ...(error && { error }), ...(isEmpty && { is_empty: true }) };
    await journal.write({ ...facts, ...notes, ...endOf(result, text, isLost) });
    return { file, pages, ok: text !== null, status, costUsd, error };
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = faultOf(thrown);
    // Without an id: the request itself has not failed, if there is one, and the next try is for the same one.
    await journal.write({ file, state: 'failed', key: idempotencyKey, error: message });
    return { file, pages, ok: false, status: code, costUsd, error: message };
  }
}

/** What is wrong with this document alone; throws what is not. */
function faultOf(thrown: unknown): { readonly code: string; readonly message: string } {
  if (isOfTheFileSystem(thrown)) return fileFault(thrown);
  if (thrown instanceof OcrError && !isOfTheRun(thrown)) return thrown;
  throw thrown;
}

function isRead({ status, cancelled_at }: OcrResult): boolean {
  return cancelled_at === undefined && (status === 'succeeded' || status === 'partial');
}

/** Whether it was read in part and no part had a text. A text that is not kept has no preview, and none is not an empty one. */
function isWithoutText({ status, extracted_text_preview }: OcrResult): boolean {
  return status === 'partial' && extracted_text_preview === '';
}

/** What a run has cancelled is not done, though some of it may be read: the next one reads it anew, as it does what is lost. */
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

/** A wrong key, an empty balance, a gateway that is gone: no other document fares better. */
function isOfTheRun({ code }: OcrError): boolean {
  return [
    'authentication_error',
    'insufficient_scope',
    'insufficient_balance',
    'connection',
    'unknown_engine',
  ].includes(code);
}
