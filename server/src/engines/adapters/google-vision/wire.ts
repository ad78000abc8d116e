import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { googleVision } from './adapter.ts';

export const wire: Wire = {
  adapter: googleVision,
  engine: {},
  basePath: '',
  usage: null,
  attack: {
    features: [{ type: 'LABEL_DETECTION' }],
    image: {},
    inputConfig: {},
    input_config: {},
    pages: [1],
  },
  positions: responses({ fullTextAnnotation: { text: `${TEXT}\n`, pages: [placed()] } }),
  answers: {
    ...NO_MODEL,
    ok: responses({ fullTextAnnotation: { text: `${TEXT}\n`, pages: [{ width: 1, height: 1, confidence: 0.97 }] } }),
    empty: responses({}),
    refused: null,
    truncated: null,
    rateLimited: fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for quota metric'),
    serverError: fault(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
    badCredentials: fault(400, 'INVALID_ARGUMENT', `API key not valid: ${KEY}`, 'API_KEY_INVALID'),
    unreadable: responses({ error: { code: 3, message: 'Bad image data.' } }),
  },
};

function placed(): object {
  const word = (text: string, left: number, right: number, type: string) => {
    const symbols = [...text].map((symbol, i) => ({
      text: symbol,
      ...(i === text.length - 1 && { property: { detectedBreak: { type } } }),
    }));
    const corners = [
      { x: left, y: 10 },
      { x: right, y: 10 },
      { x: right, y: 20 },
      { x: left, y: 20 },
    ];
    return { boundingBox: { vertices: corners }, symbols, confidence: 0.97 };
  };
  const words = [word(TEXT.slice(0, 5), 20, 70, 'SPACE'), word(TEXT.slice(6), 80, 160, 'LINE_BREAK')];
  return { width: 200, height: 100, confidence: 0.97, blocks: [{ paragraphs: [{ words }] }] };
}

function responses(response: object): WireAnswer {
  return { status: 200, body: { responses: [response] } };
}

function fault(code: number, status: string, message: string, reason?: string): WireAnswer {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : [];
  return { status: code, body: { error: { code, message, status, details } } };
}
