import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PageAnswer } from '../../house/answers.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { markedPage, markedSheet, markOn } from '../../house/solid-mark.ts';
import { boundsOf, expectSoundPositions, wordsOf } from '../../house/word-boxes.ts';

const house = await sharedHouse('several');
const { caller } = await house.account();

async function pageOf(engine: string, document: Buffer): Promise<{ page: PageAnswer; steps: string[] }> {
  const { status, text, body } = await caller.ocr(ocrBody(engine, document, { include: ['words'] }));
  // A slow answer has begun as 202.
  expect([body.http_status ?? status, body.status], text).toEqual([200, 'succeeded']);
  const [page] = body.page_results ?? [];
  if (!page) throw new Error(text);
  expectSoundPositions(page);
  const { preprocessing = [] } = (body.metadata ?? {}) as { preprocessing?: { steps: string[] }[] };
  return { page, steps: preprocessing.flatMap(({ steps }) => steps) };
}

/** A document whose page shows a black square, and the picture of it that a viewer shows. */
const DOCUMENTS: Readonly<Record<string, () => Promise<{ document: Buffer; shown: Buffer; step?: string }>>> = {
  'a page that lies askew': async () => {
    const document = await sharp(await markedPage())
      .rotate(6, { background: 'white' })
      .png()
      .toBuffer();
    return { document, shown: document, step: 'deskewed' };
  },
  'a picture of more pixels than engines are sent': async () => {
    const document = await markedSheet(9000, 4600);
    return { document, shown: document };
  },
  'a picture that is stored lying': async () => {
    const shown = await markedPage();
    const stored = await sharp(shown).rotate(270).toBuffer();
    return { document: await sharp(stored).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(), shown };
  },
  'a page that lies in its PDF': async () => {
    const shown = await markedPage();
    const { data, info } = await sharp(shown).rotate(270).jpeg({ quality: 95 }).toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const picture = { jpeg: data, width, height };
    return { document: makePdf([{ size: [width / 4, height / 4], rotate: 90, picture }]), shown };
  },
};

/** Reads the square, where it stands on the picture that was sent. */
const ANSWERS = {
  easyocr: (quad: number[][]) => ({ results: [{ text: 'here', confidence: 0.9, bbox: quad }] }),
  paddle: (quad: number[][]) => {
    const prunedResult = { rec_texts: ['here'], rec_scores: [0.9], rec_polys: [quad] };
    return { errorCode: 0, result: { ocrResults: [{ prunedResult }] } };
  },
};
const FIELDS = { easyocr: 'image', paddle: 'file' } as const;

describe.each(['easyocr', 'paddle'] as const)('%s tells places on a page', (engine) => {
  it.each(Object.entries(DOCUMENTS))('of %s where they stand on it as it is shown', async (_name, make) => {
    const { document, shown, step } = await make();
    house.engines.script(engine, async ({ body }) => {
      const { x, y } = await markOn(Buffer.from(String(body[FIELDS[engine]]), 'base64'));
      const [left, top, right, bottom] = [x - 12, y - 12, x + 12, y + 12];
      const quad = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ];
      return { kind: 'json', status: 200, body: ANSWERS[engine](quad) };
    });
    const { page, steps } = await pageOf(engine, document);
    expect(steps).toEqual(step ? [step] : []);
    const wanted = await markOn(shown);
    const [line] = page.lines ?? [];
    const [left, top, right, bottom] = line ? boundsOf(line) : [9, 9, 9, 9];
    expect(Math.abs((left + right) / 2 - wanted.x / wanted.width)).toBeLessThan(0.005);
    expect(Math.abs((top + bottom) / 2 - wanted.y / wanted.height)).toBeLessThan(0.005);
  });
});

describe('Tesseract tells places on a page', async () => {
  const columns = await readFile(new URL('../../fixtures/two-columns.png', import.meta.url));
  const upright = await sharp(columns).flatten({ background: 'white' }).png().toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const { page: read } = await pageOf('tesseract', upright);
  const known = onceEach(read);

  /** Fractions of the upright page, where they stand on one that was turned clockwise about its middle. */
  function turned(degrees: number): (place: Place) => Place {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [wide, high] = [
      Math.abs(width * cos) + Math.abs(height * sin),
      Math.abs(width * sin) + Math.abs(height * cos),
    ];
    return ([x, y]) => {
      const [across, down] = [(x - 0.5) * width, (y - 0.5) * height];
      return [0.5 + (across * cos - down * sin) / wide, 0.5 + (across * sin + down * cos) / high];
    };
  }

  it.each([
    ['lies askew', 'deskewed', () => sharp(upright).rotate(5, { background: 'white' }), turned(5)],
    ['lies on its side', 'turned', () => sharp(upright).rotate(90), turned(90)],
    ['is small', 'enlarged', () => sharp(upright).resize(Math.round(width * 0.33)), turned(0)],
  ] as const)('that %s where they stand on it as it came', async (_name, step, make, place) => {
    const { page, steps } = await pageOf('tesseract', await make().png().toBuffer());
    expect(steps).toContain(step);
    const both = [...onceEach(page)].flatMap(([text, at]) => {
      const wanted = known.get(text);
      return wanted ? [{ at, wanted: place(wanted) }] : [];
    });
    expect(both.length).toBeGreaterThan(known.size / 2);
    const off = both.map(({ at, wanted }) => Math.max(Math.abs(at[0] - wanted[0]), Math.abs(at[1] - wanted[1])));
    expect(off.toSorted((a, b) => a - b)[Math.floor(off.length * 0.95)]).toBeLessThan(0.005);
  });
});

type Place = readonly [x: number, y: number];

/** The middles of words that stand on the page once. */
function onceEach(page: PageAnswer): Map<string, Place> {
  const groups = Map.groupBy(wordsOf(page), ({ text }) => text);
  return new Map(
    [...groups].flatMap(([text, [word, another]]) => {
      if (!word || another) return [];
      const [left, top, right, bottom] = boundsOf(word);
      return [[text, [(left + right) / 2, (top + bottom) / 2]]];
    }),
  );
}
