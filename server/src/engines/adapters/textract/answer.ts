import type { DetectDocumentTextCommandOutput } from '@aws-sdk/client-textract';
import { z } from 'zod';
import type { Ending, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { meanConfidence, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { httpEnding } from '../http/failure.ts';
import { retryAfterSeconds } from '../http/retry-after.ts';
import { Unanswered } from './exchange-handler.ts';
import { layoutOf } from './layout.ts';

const FAULT = z
  .object({
    __type: z.string().catch(''),
    Message: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
  })
  .catch({ __type: '' });
const THROTTLED = /^(?:Throttling|ThrottlingException|ProvisionedThroughputExceededException|LimitExceededException)$/;
const UNREADABLE = /^(?:BadDocument|UnsupportedDocument)Exception$/;
const CREDENTIALS =
  /^(?:AccessDenied|UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId|IncompleteSignature|MissingAuthenticationToken|SignatureDoesNotMatch|OptInRequired|SubscriptionRequired)/;

/** Reads the lines of the page in Textract's order. Textract's confidence goes from 0 to 100. */
export function readBlocks(
  output: DetectDocumentTextCommandOutput,
  { number, positions }: { number: number; positions: boolean },
): Reading {
  const { Blocks, DocumentMetadata, DetectDocumentTextModelVersion, $metadata } = output;
  if (!Array.isArray(Blocks)) return malformed();
  const lines = Blocks.filter((block) => block.BlockType === 'LINE' && typeof block.Text === 'string');
  const text = lines.map((line) => line.Text).join('\n');
  const confidence = meanConfidence(lines.map((line) => (line.Confidence ?? Number.NaN) / 100));
  const pages = DocumentMetadata?.Pages;
  const known = {
    billed: 'yes',
    usage: DocumentMetadata
      ? { inputTokens: null, outputTokens: null, pages: pages ?? null, raw: DocumentMetadata }
      : null,
    providerRequestId: $metadata.requestId ?? null,
    modelVersion: DetectDocumentTextModelVersion ?? null,
  } as const;
  if (text.trim() === '') return unread({ ...known, ending: { kind: 'empty' } });
  const layout = positions ? { layout: layoutOf(Blocks) } : {};
  return unread({
    ...known,
    ending: { kind: 'ok' },
    pages: [{ number, text, confidence, source: 'engine', ...layout }],
  });
}

/** Reads the exception of a call. `secret` never appears in the reading. */
export function readFailure(error: unknown, secret: string | null): Reading {
  if (error instanceof Unanswered) {
    const { outcome } = error;
    if (outcome.kind === 'no answer') return unread(outcome);
    const providerRequestId = outcome.header('x-amzn-requestid');
    return unread({ ending: faultEnding(outcome, secret), billed: 'no', providerRequestId });
  }
  if (error instanceof Error && error.name.endsWith('ProviderError')) {
    const message = 'The gateway’s configuration: there are no AWS credentials for the engine.';
    return unread({ ending: { kind: 'failed', message, temporary: false, httpStatus: null }, billed: 'no' });
  }
  return malformed();
}

/** The ending of a fault: AWS answers almost every failure with HTTP 400, and the exception's name says what it is. */
function faultEnding(answer: HttpAnswer, secret: string | null): Ending {
  const { __type, Message, message } = FAULT.parse(parseJson(answer.text));
  const name = (__type || (answer.header('x-amzn-errortype') ?? '')).replace(/^.*#/, '').replace(/:.*$/, '');
  const words = Message ?? message ?? name;
  const fault = { codes: [], param: null, message: words, retryAfterSeconds: retryAfterSeconds(answer) };
  if (UNREADABLE.test(name)) return { kind: 'unreadable', message: 'The engine cannot read the file.' };
  return httpEnding({ ...fault, status: meantStatus(name, answer.status) }, secret);
}

function meantStatus(name: string, status: number): number {
  if (THROTTLED.test(name)) return 429;
  if (CREDENTIALS.test(name)) return 403;
  return name === 'DocumentTooLargeException' ? 413 : status;
}

/** The reading of a success that is no answer of Textract: whether it is billed is unknown. */
function malformed(): Reading {
  const message = 'The engine’s answer has not the shape of Textract’s.';
  return unread({ ending: { kind: 'failed', message, temporary: true, httpStatus: 200 }, billed: 'unknown' });
}
