import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { mistralOcr } from './adapter.ts';

const TABLE = `| ${TEXT.slice(0, 5)} | ${TEXT.slice(6)} |\n|---|---|`;

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
  positions: page(TEXT, [block('text', TEXT)]),
  tables: page(TABLE, [block('table', TABLE)]),
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

function block(type: string, content: string): object {
  return { type, content, top_left_x: 170, top_left_y: 220, bottom_right_x: 1360, bottom_right_y: 440 };
}

/** OCR 4 has blocks where they are asked for; that they come unasked changes nothing. */
function page(markdown: string, blocks?: object[]): WireAnswer {
  const dimensions = { dpi: 200, height: 2200, width: 1700 };
  const pages = [{ index: 0, markdown, images: [], dimensions, ...(blocks && { blocks }) }];
  const usage_info = { pages_processed: 1, doc_size_bytes: 4 };
  return { status: 200, body: { pages, model: 'mistral-ocr-2505-completion', document_annotation: null, usage_info } };
}

function fault(status: number, message: string): WireAnswer {
  return { status, body: { object: 'error', message, type: 'invalid_request_error', code: '1000' } };
}
