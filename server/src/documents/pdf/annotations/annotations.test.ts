import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { makePdf, type PdfPage } from '../../../../../test/house/pdf.ts';
import { Documents } from '../../documents.ts';

const documents = new Documents({
  threads: 1,
  maxPixels: 4e6,
  maxSentPixels: 4e6,
  maxPages: 5,
  pdfTimeoutMs: 30_000,
  memoryMb: 256,
});
afterAll(() => documents[Symbol.asyncDispose]());

const PLACE = '/F 4 /Rect [50 150 250 200]';
const MARKED = '/QuadPoints [50 200 250 200 50 150 250 150]';
const annotation = (subtype: string, more = '') => `<< /Type /Annot /Subtype /${subtype} ${more} >>`;

/** The upper part of a page, above its field, and what is read of it. */
async function shown(page: PdfPage, options: { needsAppearances?: boolean } = {}) {
  const pdf = makePdf([{ size: [300, 300], ...page }], options);
  const { bytes } = await documents.picture(pdf, 'pdf', 1, { dpi: 72 });
  const upper = { left: 0, top: 0, width: 300, height: 200 };
  const pixels = await sharp(bytes).greyscale().extract(upper).raw().toBuffer();
  const [read] = await documents.text(pdf, [1]);
  return { pixels, ink: pixels.filter((level) => level < 250).length, text: read?.text };
}

describe('annotations without an appearance of their own', () => {
  it.each([
    annotation('Highlight', `${PLACE} ${MARKED} /C [1 1 0]`),
    annotation('Underline', `${PLACE} ${MARKED} /C [1 0 0]`),
    annotation('StrikeOut', `${PLACE} ${MARKED} /C [1 0 0]`),
    annotation('Squiggly', `${PLACE} ${MARKED} /C [1 0 0]`),
    annotation('Ink', `${PLACE} /InkList [[60 160 100 190 200 155]] /C [0 0 0] /BS << /W 3 >>`),
    annotation('Square', `${PLACE} /C [0 0 0]`),
    annotation('Circle', `${PLACE} /C [0 0 0]`),
    annotation('Text', `${PLACE} /Contents (a note) /C [1 1 0]`),
  ])('are shown beside a field as they are without one: %s', async (each) => {
    const text = 'marked words';
    const [alone, beside, bare] = [
      await shown({ text, textAt: [60, 170], annotations: [each] }),
      await shown({ text, textAt: [60, 170], annotations: [each], field: 'filled' }),
      await shown({ text, textAt: [60, 170] }),
    ];
    expect(alone.pixels.equals(bare.pixels)).toBe(false);
    expect(beside.pixels.equals(alone.pixels)).toBe(true);
    expect(beside.text).toBe('marked words\nfilled');
  });

  it('are shown and read where they are free text', async () => {
    const words = annotation('FreeText', `${PLACE} /Contents (free words) /DA (/Helvetica 12 Tf 0 g)`);
    const { ink, text } = await shown({ annotations: [words] });
    expect([ink > 100, text]).toEqual([true, 'free words']);
  });

  it('are shown and read where they are fields of a form that leaves that to its viewer', async () => {
    const field = annotation('Widget', `${PLACE} /FT /Tx /T (name) /V (Ann Example) /DA (/Helvetica 12 Tf 0 g)`);
    const { ink, text } = await shown({ annotations: [field] }, { needsAppearances: true });
    expect([ink > 100, text]).toEqual([true, 'Ann Example']);
  });

  it('are not shown beside a field where no viewer shows them', async () => {
    for (const flag of [2, 32]) {
      const hidden = annotation('Square', `/F ${flag} /Rect [50 150 250 200] /C [0 0 0]`);
      expect((await shown({ annotations: [hidden], field: 'filled' })).ink).toBe(0);
    }
  });
});

it('what is written only for print is not read', async () => {
  const words = annotation(
    'FreeText',
    `/F 36 /Rect [50 150 250 200] /Contents (not on a screen) /DA (/Helvetica 12 Tf 0 g)`,
  );
  expect(await shown({ annotations: [words], field: 'filled' })).toMatchObject({ ink: 0, text: 'filled' });
});
