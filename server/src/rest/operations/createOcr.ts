import { AppError } from '../../platform/errors.ts';
import { bodySchema } from '../contract/contract.ts';
import type { Call, Hook, Reply } from '../contract/reply.ts';
import { toInput } from '../contract/to-input.ts';
import { warningsHeader } from '../contract/warnings-header.ts';

/** Seconds after which a new try (with a new key) makes sense. */
const TIMEOUT_RETRY_AFTER_SECONDS = 30;
const STATUS: Readonly<Record<string, number>> = {
  processing: 202,
  succeeded: 200,
  partial: 200,
  refunded: 202,
  timeout: 503,
};
const MEDIA_TYPES: Readonly<Record<string, string>> = { text: 'text/plain', markdown: 'text/markdown' };

/** `POST /v1/ocr`: status, headers and body follow the outcome and the output format. */
export const createOcr: Hook = {
  variables(call) {
    const key = call.headers['idempotency-key'];
    if (typeof key !== 'string' || key.trim() === '') {
      throw new AppError(
        'invalid_request',
        'The header Idempotency-Key is required: send a new value for each new request.',
      );
    }
    const { input, unknown } = toInput(bodySchema(call.operation) ?? {}, call.body);
    const request = input as Record<string, unknown>; // the schema says object
    return {
      request: { ...request, fallback: fallbackMode(request['fallback']) },
      idempotencyKey: key,
      unknownFields: unknown,
    };
  },

  slow: (call) => outputFormat(call) === 'json',

  reply(result, present) {
    const replayed: Record<string, string> = result['_replayed'] === true ? { 'Idempotent-Replayed': 'true' } : {};
    const text = result['_renderedBody'];
    if (typeof text === 'string' && result['status'] === 'succeeded') return textReply(result, text, replayed);
    const status = STATUS[String(result['status'])] ?? 500;
    const body = present(result) as object; // a result is an object
    if (result['status'] === 'processing') {
      return { status, headers: { ...replayed, Location: String(result['poll_url']) }, body };
    }
    if (result['status'] !== 'timeout') return { status, headers: replayed, body };
    const seconds = TIMEOUT_RETRY_AFTER_SECONDS;
    return {
      status,
      headers: { ...replayed, 'Retry-After': String(seconds) },
      body: { ...body, retry_after_seconds: seconds },
    };
  },
};

/** The mode of fallback: `true` is `similar`, `false` is `off`. */
export function fallbackMode(value: unknown): unknown {
  if (value === true) return 'similar';
  return value === false ? 'off' : value;
}

function outputFormat(call: Call): unknown {
  return (call.body as { output_format?: unknown }).output_format ?? 'json'; // validated as an object
}

function textReply(result: Record<string, unknown>, text: string, replayed: Record<string, string>): Reply {
  const warnings = Array.isArray(result['warnings']) ? result['warnings'] : [];
  return {
    status: 200,
    headers: {
      ...replayed,
      'Content-Type': `${MEDIA_TYPES[String(result['_outputFormat'])]}; charset=utf-8`,
      'X-OCR-Pages': String(result['pages'] ?? 0),
      ...(result['pages_total'] != null && { 'X-OCR-Pages-Total': String(result['pages_total']) }),
      ...(warnings.length > 0 && { 'X-OCR-Warnings': warningsHeader(warnings) }),
    },
    body: text,
  };
}
