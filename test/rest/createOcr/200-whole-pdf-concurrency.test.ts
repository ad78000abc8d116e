import { afterAll, beforeEach, expect, it } from 'vitest';
import { refuses, says } from '../../house/engine-answers.ts';
import { makeGate } from '../../house/gate.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { pdfOfPages } from '../../house/page-sizes.ts';

const scored = { benchmark: { hard_score: 80, easy_score: 99, measured_at: '2026-11-01' } };
const house = await openHouse({
  engines: { reader: scored, whole: { ...scored, native_pdf: true, concurrency: 1 } },
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => house.engines.reset());

it('calls an engine that reads whole PDFs no more often at once than its concurrency, wherever the documents come from', async () => {
  const { caller } = await house.account();
  const gate = makeGate();
  house.engines.script('reader', refuses('No.'));
  house.engines.script('whole', async () => {
    await gate.opened;
    return says('the whole document');
  });
  const request = ocrBody('reader', pdfOfPages(1), { fallback: 'similar', settings: { dpi: 72 } });
  const replies = Promise.all([1, 2, 3].map(() => caller.ocr(request)));
  await house.engines.called('reader', 3);
  await house.engines.called('whole');
  gate.open();
  for (const { body } of await replies) expect(body).toMatchObject({ status: 'succeeded', engine: 'whole' });
  expect(house.engines.mostAtOnce('whole')).toBe(1);
});
