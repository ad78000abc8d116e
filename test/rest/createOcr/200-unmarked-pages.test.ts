import { expect, it } from 'vitest';
import { says } from '../../house/engine-answers.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse('several');

it('gives the raw output of an engine that did not tell the pages apart, and calls no page blank', async () => {
  house.engines.script('whole', says('both pages in one'));
  const { caller } = await house.account();
  const { status, body } = await caller.ocr(
    ocrBody('whole', makePdf([{ text: 'one' }, { text: 'two' }]), { page_count: 2, include: ['pages'] }),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', extracted_text: 'both pages in one', pages: 2, pages_total: 2 });
  expect(body).not.toHaveProperty('warnings');
  expect(body.metadata?.['warnings']).toEqual([expect.stringContaining('did not tell the pages apart')]);
  expect(body.page_results).toMatchObject([
    { page: 1, state: 'read', text: 'both pages in one' },
    { page: 2, state: 'read', text: '' },
  ]);
  expect((await caller.get(`/v1/ocr/${body.request_id}`)).body).toMatchObject({ extracted_text: 'both pages in one' });
});
