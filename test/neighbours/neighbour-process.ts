import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { type Begun, type Kind, PACES, type Pace, type Seen } from './neighbour.ts';

/**
 * The account that must not feel anything: `<url> <api key> <pace>`. It sends on a clock, not when the last answer has come,
 * so that a service that stands still is seen for as long as it stands. Each beginning and each answer is a line of JSON.
 */
const [url, apiKey, pace] = process.argv.slice(2);
const PATIENCE_MS = 60_000;
/** Above the size of bodies that are read at once without waiting in line. */
const LARGE_BYTES = 1_200_000;

let calls = 0;

const small = JSON.stringify(ocrBody('instant', await picture()));
const large = `${small}${' '.repeat(LARGE_BYTES)}`;
const pdf = JSON.stringify(ocrBody('pdf-text', makePdf([{ text: 'One page of text.' }])));

console.log('ready');
const { small: smallMs, pdf: pdfMs, large: largeMs, livez: livezMs } = PACES[pace as Pace];
every(smallMs, () => post('small', small));
every(pdfMs, () => post('pdf', pdf));
every(largeMs, () => post('large', large));
every(livezMs, () => tell('livez', () => request(`${url}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS) })));

function post(kind: Kind, body: string): void {
  tell(kind, () =>
    request(`${url}/v1/ocr`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }),
  );
}

function tell(kind: Kind, call: () => ReturnType<typeof request>): void {
  const at = Date.now();
  const id = ++calls;
  print({ id, at });
  const started = performance.now();
  const done = (status: number, text: string) => {
    print({ id, kind, at, ms: performance.now() - started, status, ...(status !== 200 && { text }) });
  };
  call()
    .then(async ({ statusCode, body }) => done(statusCode, (await body.text()).slice(0, 300)))
    .catch((error: Error) => done(0, error.message));
}

function print(line: Begun | Seen): void {
  console.log(JSON.stringify(line));
}

function every(ms: number, work: () => void): void {
  work();
  setInterval(work, ms);
}
