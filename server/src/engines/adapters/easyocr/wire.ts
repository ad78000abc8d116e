import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { easyocr } from './adapter.ts';

export const wire: Wire = {
  adapter: easyocr,
  engine: {},
  basePath: '',
  usage: null,
  attack: { image: 'http://inside/', detail: 0 },
  positions: results([
    { bbox: box(20, 10, 70, 10), text: TEXT.slice(0, 5), confidence: 0.98 },
    { bbox: box(80, 10, 160, 10), text: TEXT.slice(6), confidence: 0.9 },
  ]),
  answers: {
    ...NO_MODEL,
    ok: results([
      { bbox: box(10, 20, 60), text: TEXT.slice(0, 5), confidence: 0.98 },
      { bbox: box(70, 21, 120), text: TEXT.slice(6), confidence: 0.9 },
    ]),
    empty: results([]),
    refused: null,
    truncated: null,
    rateLimited: fault(429, 'busy', 'Too many pictures wait already'),
    serverError: fault(500, 'internal', 'CUDA out of memory'),
    badCredentials: fault(401, 'unauthorized', `unknown key ${KEY}`),
    unreadable: fault(422, 'invalid_image', 'The bytes are not a picture'),
  },
};

function box(left: number, top: number, right: number, height = 20): number[][] {
  return [
    [left, top],
    [right, top],
    [right, top + height],
    [left, top + height],
  ];
}

function results(fragments: object[]): WireAnswer {
  return { status: 200, body: { results: fragments } };
}

function fault(status: number, code: string, message: string): WireAnswer {
  return { status, body: { error: { code, message } } };
}
