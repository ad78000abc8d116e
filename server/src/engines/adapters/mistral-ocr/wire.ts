import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { mistralOcr } from './adapter.ts';

export const wire: Wire = {
  adapter: mistralOcr,
  engine: { model: 'mistral-ocr-latest' },
  basePath: '',
  usage: { inputTokens: null, outputTokens: null },
  attack: {
    model: 'm',
    document: { document_url: 'http://inside/' },
    pages: [0, 1],
    include_image_base64: true,
  },
  answers: {
    ...NO_MODEL,
    ok: page(TEXT),
    empty: page('![img-0.jpeg](img-0.jpeg)'),
    refused: null,
    truncated: null,
    rateLimited: { ...fault(429, 'Requests rate limit exceeded'), headers: { 'retry-after': '7' } },
    serverError: fault(500, 'Service unavailable'),
    badCredentials: { status: 401, body: { detail: `Unauthorized: ${KEY}` } },
    unreadable: fault(400, 'The document is invalid: could not process the image'),
  },
};

function page(markdown: string): WireAnswer {
  const pages = [{ index: 0, markdown, images: [], dimensions: { dpi: 200, height: 2200, width: 1700 } }];
  const usage_info = { pages_processed: 1, doc_size_bytes: 4 };
  return { status: 200, body: { pages, model: 'mistral-ocr-2505-completion', document_annotation: null, usage_info } };
}

function fault(status: number, message: string): WireAnswer {
  return { status, body: { object: 'error', message, type: 'invalid_request_error', code: '1000' } };
}
