import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer, type WireScript } from '../wires/wire-type.ts';
import { azureRead } from './adapter.ts';

export const wire: Wire = {
  adapter: azureRead,
  engine: {},
  basePath: '',
  usage: null,
  attack: { pages: '1-9', Pages: '1-9', 'api-version': 'x', stringIndexType: 'x', urlSource: 'http://inside/' },
  positions: analysis(TEXT, placed()),
  tables: analysis(TEXT, placed(), [table()]),
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

/** A page of two by one inches. */
function placed(): object {
  const polygon = (left: number, right: number) => [left, 0.1, right, 0.1, right, 0.2, left, 0.2];
  const word = (offset: number, length: number, left: number, right: number) => {
    const content = TEXT.slice(offset, offset + length);
    return { content, polygon: polygon(left, right), confidence: 0.98, span: { offset, length } };
  };
  const line = { content: TEXT, polygon: polygon(0.2, 1.6), spans: [{ offset: 0, length: TEXT.length }] };
  return {
    width: 2,
    height: 1,
    unit: 'inch',
    angle: 0,
    words: [word(0, 5, 0.2, 0.7), word(6, 5, 0.8, 1.6)],
    lines: [line],
  };
}

function table(): object {
  const cell = (columnIndex: number, content: string) => ({ kind: 'columnHeader', rowIndex: 0, columnIndex, content });
  return {
    rowCount: 1,
    columnCount: 2,
    cells: [cell(0, TEXT.slice(0, 5)), cell(1, TEXT.slice(6))],
    boundingRegions: [{ pageNumber: 1, polygon: [0.2, 0.1, 1.6, 0.1, 1.6, 0.2, 0.2, 0.2] }],
    spans: [{ offset: 0, length: TEXT.length }],
  };
}

/** Accepts the file, and has the result at the first poll. */
function analysis(content: string, geometry: object = { words: [] }, tables: object[] = []): WireScript {
  const page = { pageNumber: 1, spans: [{ offset: 0, length: content.length }], ...geometry };
  const analyzeResult = { apiVersion: '2024-11-30', modelId: 'prebuilt-read', content, pages: [page], tables };
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
