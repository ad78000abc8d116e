import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PageAnswer } from '../../house/answers.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { expectSoundPositions, wordOn } from '../../house/word-boxes.ts';

const house = await sharedHouse();
const { caller } = await house.account();

async function pagesOf(engine: string, document: Buffer, pages = 1): Promise<PageAnswer[]> {
  const fields = { include: ['words'], page_count: pages };
  const { status, text, body } = await caller.ocr(ocrBody(engine, document, fields));
  // A slow answer has begun as 202.
  expect([body.http_status ?? status, body.status], text).toEqual([200, 'succeeded']);
  expect((body.warnings ?? []).filter((warning) => !/turned by \d+ degrees/.test(warning))).toEqual([]);
  for (const page of body.page_results ?? []) expectSoundPositions(page);
  return body.page_results ?? [];
}

type Point = readonly [x: number, y: number];

/** Where a point of a page stands when the page is turned clockwise. */
const TURNS: Readonly<Record<number, (point: Point) => Point>> = {
  0: (point) => point,
  90: ([x, y]) => [1 - y, x],
  180: ([x, y]) => [1 - x, 1 - y],
  270: ([x, y]) => [y, 1 - x],
};

function corners(polygon: readonly number[]): Point[] {
  return [0, 2, 4, 6].map((at) => [polygon[at] ?? 9, polygon[at + 1] ?? 9]);
}

function expectNear(polygon: readonly number[], wanted: readonly Point[], slack: number): void {
  const off = corners(polygon).map(([x, y], i) =>
    Math.max(Math.abs(x - (wanted[i]?.[0] ?? 9)), Math.abs(y - (wanted[i]?.[1] ?? 9))),
  );
  expect(Math.max(...off), `${polygon} is not ${wanted}`).toBeLessThan(slack);
}

const CROP = { left: 50, bottom: 60, width: 400, height: 500 };
const TEXT_AT = { x: 100, y: 480 };
const LINES = [
  'The quick brown fox jumps over',
  'the lazy dog, and runs away',
  'Total of the invoice 118.00',
  'Payable within thirty days',
];

/** A page each for the four turns, of which a part off the origin is shown. */
function turnedPdf(): Buffer {
  const { left, bottom, width, height } = CROP;
  const text = LINES.map((line) => `(${line}) Tj T*`).join(' ');
  const drawing = `BT /F 20 Tf 26 TL ${TEXT_AT.x} ${TEXT_AT.y} Td ${text} ET`;
  const page = (rotate: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [-20 -30 600 800] /CropBox [${left} ${bottom} ${left + width} ${bottom + height}]
/Rotate ${rotate} /Resources << /Font << /F 3 0 R >> >> /Contents 4 0 R >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 4 /Kids [5 0 R 6 0 R 7 0 R 8 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ...[0, 90, 180, 270].map(page),
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const head = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${file}${head}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}

describe('a PDF whose pages are turned, with a crop box off the origin', async () => {
  const pdf = turnedPdf();
  const layer = await pagesOf('pdf-text', pdf, 4);

  it('has the words of its own text where a viewer shows them', () => {
    const [upright] = layer;
    const box = wordOn(upright, 'The').polygon;
    const baseline = 1 - (TEXT_AT.y - CROP.bottom) / CROP.height;
    expect(box[0]).toBeCloseTo((TEXT_AT.x - CROP.left) / CROP.width, 2);
    expect(box[1]).toBeLessThan(baseline - 10 / CROP.height);
    expect(box[7]).toBeGreaterThan(baseline - 0.005);
    expect(box[7]).toBeLessThan(baseline + 10 / CROP.height);
    const fox = corners(wordOn(upright, 'fox').polygon);
    for (const [index, turn] of [0, 90, 180, 270].entries()) {
      const page = layer[index];
      const isLying = turn % 180 !== 0;
      expect(page).toMatchObject({
        width: isLying ? 500 : 400,
        height: isLying ? 400 : 500,
        text_angle: (360 - turn) % 360,
      });
      expectNear(wordOn(page, 'fox').polygon, fox.map(TURNS[turn] ?? ((point) => point)), 0.005);
    }
  });

  it('has recognised words in the same places', async () => {
    const read = await pagesOf('tesseract', pdf, 4);
    for (const [index, page] of read.entries()) {
      expect(page).toMatchObject({ text_angle: layer[index]?.text_angle, width: layer[index]?.width });
      const [own, seen] = [layer[index], page].map((one) => corners(wordOn(one, 'fox').polygon));
      // The layer's boxes are as high as the font, those that were recognised as the ink: the middles agree.
      const [[x, y], [wantedX, wantedY]] = [middleOf(seen ?? []), middleOf(own ?? [])];
      expect(Math.hypot(x - wantedX, y - wantedY)).toBeLessThan(0.01);
    }
  });
});

function middleOf(points: readonly Point[]): Point {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}

const fox = await readFile(new URL('../../fixtures/quick-brown-fox.png', import.meta.url));
const [upright] = await pagesOf('tesseract', fox);

/** How a picture that is shown upright is stored, by its EXIF orientation. */
const STORED: readonly [orientation: number, turn: number][] = [
  [1, 0],
  [3, 180],
  [6, 270],
  [8, 90],
];

it.each(STORED)('a JPEG of EXIF orientation %i has its words where it shows them', async (orientation, turn) => {
  const stored = await sharp(fox).flatten({ background: '#fff' }).rotate(turn).toBuffer();
  const jpeg = await sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
  const [page] = await pagesOf('tesseract', jpeg);
  expect(page).toMatchObject({ width: upright?.width, height: upright?.height, text_angle: 0 });
  expectNear(wordOn(page, 'fox').polygon, corners(wordOn(upright, 'fox').polygon), 0.01);
});

it('a scan that misses the edges of its page has its words where they stand on the page', async () => {
  const jpeg = await sharp(fox).flatten({ background: '#fff' }).toColourspace('srgb').jpeg({ quality: 95 }).toBuffer();
  const { width, height } = await sharp(jpeg).metadata();
  const [w, h] = [width / 2, height / 2];
  // Left, bottom, width, height, in points.
  const box = [0.015 * w, 0.01 * h, 0.98 * w, 0.985 * h] as const;
  const [page] = await pagesOf('tesseract', makePdf([{ size: [w, h], picture: { jpeg, width, height, box } }]));
  expect(page).toMatchObject({ unit: 'point' });
  const wanted = corners(wordOn(upright, 'fox').polygon).map(([x, y]): Point => [0.015 + 0.98 * x, 0.005 + 0.985 * y]);
  expectNear(wordOn(page, 'fox').polygon, wanted, 0.01);
});
