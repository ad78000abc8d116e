import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeBmp } from '../../house/bmp.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { cmykJpeg, picture, pictureAs, transparentPicture, turnedJpeg } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { makeTiff } from '../../house/tiff.ts';

const house = await sharedHouse('several');
beforeEach(() => house.engines.reset());

async function read(document: Buffer, input: Record<string, string> = {}, engine = 'reader') {
  const { caller } = await house.account();
  const body = ocrBody(engine, document);
  const reply = await caller.ocr({ ...body, input: { ...body.input, ...input } });
  expect(reply.status, reply.text).toBe(200);
  const call = house.engines.calls(engine).at(-1);
  if (!call) throw new Error('the engine was not called');
  return { body: reply.body, call };
}

const FORMATS: Record<string, () => Promise<Buffer>> = {
  PNG: () => pictureAs('png'),
  JPEG: () => pictureAs('jpeg'),
  WEBP: () => pictureAs('webp'),
  GIF: () => pictureAs('gif'),
  TIFF: async () => makeTiff([[64, 48]]),
  'compressed TIFF': () => pictureAs('tiff'),
  BMP: async () => makeBmp(64, 48),
  'CMYK JPEG': cmykJpeg,
  '16-bit PNG': async () =>
    sharp(await picture())
      .toColourspace('rgb16')
      .png()
      .toBuffer(),
  'palette PNG': async () =>
    sharp(await picture())
      .png({ palette: true })
      .toBuffer(),
};

it.each(Object.keys(FORMATS))(
  'reads %s: the engine receives a PNG or JPEG picture of the same size',
  async (format) => {
    const document = await FORMATS[format]?.();
    const { body, call } = await read(document as Buffer); // the key comes from the same table
    expect(body).toMatchObject({ status: 'succeeded', pages: 1 });
    expect(['image/png', 'image/jpeg']).toContain(call.document.mimeType);
    expect(await call.size()).toEqual({ width: 64, height: 48 });
  },
);

describe('before any engine sees it', () => {
  it('a picture is turned as its EXIF orientation says', async () => {
    const { call } = await read(await turnedJpeg(80, 40));
    expect(await call.size()).toEqual({ width: 40, height: 80 });
    expect((await sharp(call.document.bytes).metadata()).orientation ?? 1).toBe(1);
  });

  it('a transparent picture is laid on white', async () => {
    const { call } = await read(await transparentPicture());
    expect((await sharp(call.document.bytes).metadata()).hasAlpha).toBe(false);
    expect(await call.pixel(0, 0)).toEqual([255, 255, 255]);
    expect(await call.pixel(10, 9)).toEqual([0, 0, 0]);
  });

  it('printing colours become screen colours', async () => {
    const { call } = await read(await cmykJpeg());
    expect((await sharp(call.document.bytes).metadata()).space).not.toBe('cmyk');
    for (const part of await call.pixel(0, 0)) expect(part).toBeGreaterThan(240);
  });

  it('a PDF page is turned as its /Rotate says', async () => {
    const { call } = await read(makePdf([{ size: [200, 100], rotate: 90, text: 'Turned' }]));
    const { width, height } = await call.size();
    expect(height).toBeGreaterThan(width);
  });
});

describe('the MIME type hint', () => {
  it('is not needed: the content decides', async () => {
    expect((await read(makePdf([{ text: 'A page' }]))).body.pages_total).toBe(1);
  });

  it('that fits is accepted without a word', async () => {
    expect((await read(await picture(), { mime_type: 'image/png' })).body).not.toHaveProperty('warnings');
  });

  it.each(['image/jpeg', 'application/pdf', 'application/x-nonsense'])(
    'that is wrong (%s) is overruled by the content, with a warning',
    async (mime_type) => {
      const { body } = await read(await picture(), { mime_type });
      expect(body.status).toBe('succeeded');
      expect(body.warnings?.length).toBeGreaterThanOrEqual(1);
    },
  );
});

it('takes base64 with line breaks', async () => {
  const document = await picture({ width: 200, height: 150 });
  const data_base64 = document.toString('base64').replace(/.{76}/g, '$&\r\n').concat('\n');
  expect(data_base64).toContain('\r\n');
  const { call } = await read(document, { data_base64 });
  expect(await call.size()).toEqual({ width: 200, height: 150 });
});

it('hands a PDF as it is to an engine that reads PDFs itself', async () => {
  const document = makePdf([{ text: 'Native' }]);
  const { call } = await read(document, {}, 'whole');
  expect(call.document.mimeType).toBe('application/pdf');
  expect(call.document.bytes.equals(document)).toBe(true);
});

it('reads an owner-locked PDF, which anyone may open', async () => {
  const document = makePdf([{ text: 'Copying is not allowed' }], { passwords: { user: '', owner: 'sesame' } });
  expect((await read(document)).body.status).toBe('succeeded');
});

it('reads a broken but readable PDF, with a warning', async () => {
  const document = makePdf([{ text: 'The table of contents of this file is lost' }]);
  const broken = Buffer.from(document.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
  const { body } = await read(broken);
  expect(body.status).toBe('succeeded');
  expect(body.warnings?.length).toBeGreaterThanOrEqual(1);
});
