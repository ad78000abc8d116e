import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer, type WireScript } from '../wires/wire-type.ts';
import { azureRead } from './adapter.ts';

export const wire: Wire = {
  adapter: azureRead,
  engine: {},
  basePath: '',
  usage: null,
  attack: { pages: '1-9', Pages: '1-9', 'api-version': 'x', stringIndexType: 'x', urlSource: 'http://inside/' },
  answers: {
    ...NO_MODEL,
    ok: analysis(TEXT),
    empty: analysis(''),
    refused: null,
    truncated: null,
    rateLimited: {
      ...fault(429, { code: '429', message: 'Requests are over the limit' }),
      headers: { 'retry-after': '7' },
    },
    serverError: fault(503, { code: 'ServiceUnavailable', message: 'The service is unavailable' }),
    badCredentials: fault(401, { code: '401', message: `Access denied due to invalid subscription key ${KEY}` }),
    unreadable: fault(400, {
      code: 'InvalidRequest',
      message: 'Invalid request.',
      innererror: { code: 'InvalidContent', message: 'The file is corrupted or format is unsupported.' },
    }),
  },
};

/** Accepts the file, and has the result at the first poll. */
function analysis(content: string): WireScript {
  const page = { pageNumber: 1, spans: [{ offset: 0, length: content.length }], words: [] };
  const analyzeResult = { apiVersion: '2024-11-30', modelId: 'prebuilt-read', content, pages: [page] };
  const done: WireAnswer = { status: 200, body: { status: 'succeeded', analyzeResult } };
  return ({ method, origin }) => {
    if (method === 'GET') return done;
    const location = `${origin}/documentintelligence/documentModels/prebuilt-read/analyzeResults/1?api-version=2024-11-30`;
    return { status: 202, headers: { 'operation-location': location, 'retry-after': '0' }, body: '' };
  };
}

function fault(status: number, error: object): WireAnswer {
  return { status, body: { error } };
}
