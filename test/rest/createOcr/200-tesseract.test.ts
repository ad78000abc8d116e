import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type OcrFields, ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { blankPicture } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();

const fixture = (name: string) => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const fox = await fixture('quick-brown-fox.png');
const { width, height } = await sharp(fox).metadata();
const page = { picture: { jpeg: await sharp(fox).jpeg({ quality: 95 }).toBuffer(), width, height } };
const FOX = /quick brown fox jumps[\s\S]*lazy dog[\s\S]*Invoice number 48213/;

async function read(document: Buffer, fields: OcrFields = {}) {
  const { caller } = await house.account();
  const reply = await caller.ocr(ocrBody('tesseract', document, fields));
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

it('reads a picture, and says how sure it is', async () => {
  const body = await read(fox);
  expect(body).toMatchObject({ status: 'succeeded', engine: 'tesseract', pages: 1 });
  expect(body.extracted_text).toMatch(FOX);
  expect(body.confidence).toBeGreaterThan(0.5);
  expect(body.confidence).toBeLessThanOrEqual(1);
  expect(body.applied_settings).toMatchObject({ language: 'en', language_native: 'eng' });
  expect(body).not.toHaveProperty('metadata');
});

it('reads the pages of a scanned PDF', async () => {
  const size = [width * 0.48, height * 0.48] as const; // points, so that it is rendered about two times as large
  const body = await read(
    makePdf([
      { ...page, size },
      { ...page, size },
    ]),
    { page_count: 2 },
  );
  expect(body).toMatchObject({ pages: 2, pages_total: 2 });
  const texts = body.extracted_text?.split('\n\n---\n\n') ?? [];
  expect(texts).toHaveLength(2);
  for (const text of texts) expect(text).toMatch(FOX);
});

it.each([90, 180, 270])('reads a page turned by %i degrees', async (degrees) => {
  const turned = await sharp(fox).rotate(degrees).png().toBuffer();
  expect((await read(turned)).extracted_text).toMatch(FOX);
});

it.each([
  ['ja', 'jpn', 'japanese.png', /東京都/],
  ['zh', 'chi_sim', 'chinese.png', /\p{Script=Han}{2}/u],
  ['ko', 'kor', 'korean.png', /\p{Script=Hangul}{2}/u],
  ['ar', 'ara', 'arabic.png', /\p{Script=Arabic}{2}/u],
])('reads settings.language %s with the option %s', async (language, language_native, name, expected) => {
  const body = await read(await fixture(name), { settings: { language } });
  expect(body.applied_settings).toMatchObject({ language, language_native });
  expect(body.extracted_text?.replace(/[ \t]/g, '')).toMatch(expected);
});

it('honours options.language_hints in its own codes', async () => {
  const body = await read(await fixture('japanese.png'), { options: { language_hints: ['jpn'] } });
  expect(body.extracted_text?.replace(/[ \t]/g, '')).toContain('東京都');
});

describe('a language it has no data for', () => {
  it('is read with English, with a warning', async () => {
    const body = await read(fox, { settings: { language: 'nonsense' } });
    expect(body.extracted_text).toMatch(FOX);
    expect(body.warnings?.join('\n')).toMatch(/nonsense[\s\S]*English/);
  });
});

it('takes a blank page for what it is', async () => {
  const body = await read(await blankPicture({ width: 800, height: 600 }));
  expect(body).toMatchObject({ status: 'succeeded', extracted_text: '', pages: 1 });
  expect(body.warnings?.join('\n')).toMatch(/blank/i);
});
