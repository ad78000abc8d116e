import { randomUUID } from 'node:crypto';
import type { OcrAnswer } from '../../house/answers.ts';
import { densePdf } from '../../house/dense-pdf.ts';
import type { Attack, Attacker, Target } from '../attack.ts';
import { persist } from '../persist.ts';

/** Pages that share one content: a file of 65 kB, for half a cent. As many words as positions are kept of in one document. */
const PAGES = 25;
/** It is read at a low priority: on a busy machine, for a minute and more. */
const READING_MS = 120_000;

export const denseReadings: Attack = {
  name: 'eight documents side by side whose pages have twenty thousand words',
  finding: 'S6',
  run: ({ funded, share }, signal) =>
    persist(signal, { width: 8, pauseMs: 0 }, () => readDense({ funded, share }, signal)),
};

export const denseResults = askingFor(
  'eight callers of a result with the words of dense pages',
  (id) => `/v1/ocr/${id}`,
);
export const densePages = askingFor(
  'eight callers of its pages',
  (id) => `/v1/ocr/${id}/pages?include=words&per_page=100`,
);
export const denseAlto = askingFor('eight callers of it as ALTO', (id) => `/v1/ocr/${id}/output?format=alto`);

/** Asks for what is made of the words of such a document again and again. */
function askingFor(name: string, path: (id: string) => string): Attack {
  return {
    name,
    finding: 'S6',
    prepare: denseResult,
    run: async (target, signal) => {
      const id = await denseResult(target);
      await persist(signal, { width: 8, pauseMs: 0 }, () => target.funded.caller.call('GET', path(id), { signal }));
    },
  };
}

const results = new WeakMap<Attacker, Promise<string>>();

/** A request that read such a document: one for all attacks of an account, as it takes seconds. */
function denseResult(target: Target): Promise<string> {
  const known = results.get(target.funded);
  if (known) return known;
  const reading = readDense(target, AbortSignal.timeout(READING_MS));
  results.set(target.funded, reading);
  reading.catch(() => results.delete(target.funded)); // the next one tries again
  return reading;
}

async function readDense(
  { funded: { caller }, share }: Pick<Target, 'funded' | 'share'>,
  signal: AbortSignal,
): Promise<string> {
  const pages = PAGES * share;
  const input = { type: 'base64', data_base64: densePdf(pages).toString('base64') };
  const wish = { engine: 'pdf-text', input, page_count: pages, include: ['words'] };
  const { status, body } = await caller.ocr<OcrAnswer>(wish, { key: randomUUID(), signal });
  if (body?.request_id === undefined) throw new Error(`the document was answered ${status}`);
  return body.request_id;
}
