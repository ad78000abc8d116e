import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { paddle } from './adapter.ts';

export const wire: Wire = {
  adapter: paddle,
  engine: {},
  basePath: '',
  usage: null,
  attack: { file: 'http://inside/', fileType: 0, visualize: true },
  positions: results([TEXT], [0.97], {
    rec_polys: [
      [
        [20, 10],
        [160, 10],
        [160, 20],
        [20, 20],
      ],
    ],
  }),
  answers: {
    ...NO_MODEL,
    ok: results([TEXT], [0.97]),
    empty: results([], []),
    refused: null,
    truncated: null,
    rateLimited: fault(429, 'Too many requests'),
    serverError: fault(500, 'Internal server error'),
    badCredentials: fault(401, `Unauthorized ${KEY}`),
    unreadable: fault(422, 'Unable to read image'),
  },
};

function results(rec_texts: string[], rec_scores: number[], more: object = {}): WireAnswer {
  const prunedResult = { rec_texts, rec_scores, rec_boxes: rec_texts.map(() => [0, 0, 9, 9]), ...more };
  const result = { ocrResults: [{ prunedResult, ocrImage: null }], dataInfo: { type: 'image' } };
  return { status: 200, body: { logId: 'log-1', errorCode: 0, errorMsg: 'Success', result } };
}

function fault(errorCode: number, errorMsg: string): WireAnswer {
  return { status: errorCode, body: { logId: 'log-1', errorCode, errorMsg } };
}
