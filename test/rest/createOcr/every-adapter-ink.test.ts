import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { WIRES } from '../../../server/src/engines/adapters/wires/find-wires.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import { TEXT } from '../../../server/src/engines/adapters/wires/wire-type.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { wiredEngine } from '../../house/wired-engine.ts';
import { boundsOf, expectSoundPositions } from '../../house/word-boxes.ts';

const PLACING = WIRES.flatMap((wire) =>
  wire.positions ? [{ name: wire.adapter.name, wire, answer: wire.positions }] : [],
);
const provider = await ScriptedProvider.start();
const house = await openHouse({
  engines: Object.fromEntries(PLACING.map(({ name, wire }) => [name, wiredEngine(wire, provider.origin)])),
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Where the line stands that every wire tells of: left, top, right and bottom, in fractions of the page. */
const LINE = [0.1, 0.1, 0.8, 0.2] as const;
const SHEET = { width: 200, height: 100 };

/** A sheet of the size of which the wires tell, with ink where their line stands. */
async function inked(): Promise<Buffer> {
  const [left, top, right, bottom] = LINE;
  const [width, height] = [(right - left) * SHEET.width, (bottom - top) * SHEET.height].map(Math.round);
  const input = { create: { width: width ?? 0, height: height ?? 0, channels: 3, background: 'black' } } as const;
  const place = { left: left * SHEET.width, top: top * SHEET.height };
  return sharp({ create: { ...SHEET, channels: 3, background: 'white' } })
    .composite([{ input, ...place }])
    .png()
    .toBuffer();
}

/** Left, top, right and bottom of what is dark, in fractions of the picture. */
async function inkOn(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture)
    .flatten({ background: 'white' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [left, top, right, bottom] = [info.width, info.height, 0, 0];
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      if ((data[(y * info.width + x) * info.channels] ?? 255) > 128) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  return [left / info.width, top / info.height, right / info.width, bottom / info.height];
}

const DOCUMENTS: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a picture': inked,
  'a picture that is stored lying': async () => {
    const stored = await sharp(await inked())
      .rotate(270)
      .toBuffer();
    return sharp(stored).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer();
  },
  'a page that lies in its PDF': async () => {
    const stored = sharp(await inked()).rotate(270);
    const { data: jpeg, info } = await stored.jpeg({ quality: 100 }).toBuffer({ resolveWithObject: true });
    const picture = { jpeg, width: info.width, height: info.height };
    return makePdf([{ size: [info.width, info.height], rotate: 90, picture }]);
  },
};

/** They tell pixels, and are sent the page of a PDF in others than the sheet's. */
const OF_PIXELS = ['easyocr', 'paddle'];

describe.each(PLACING)('the places that $name tells cover the ink', ({ name, answer }) => {
  const documents = Object.entries(DOCUMENTS).filter(([what]) => !(what.includes('PDF') && OF_PIXELS.includes(name)));
  it.each(documents)('of %s', async (_name, make) => {
    const { caller } = await house.account();
    provider.script(answer);
    const { status, body, text } = await caller.ocr(ocrBody(name, await make(), { include: ['words'] }));
    expect([status, body.extracted_text?.trim()], text).toEqual([200, TEXT]);
    // What the wire tells is true of the picture that was sent…
    const sent = /[A-Za-z0-9+/]{100,}={0,2}/.exec(provider.calls[0]?.body ?? '')?.[0] ?? '';
    const picture = Buffer.from(sent, 'base64');
    expectNear(await inkOn(picture), LINE);
    // …and what the caller is told, of the page as it is shown.
    const [page] = body.page_results ?? [];
    const [line] = page?.lines ?? [];
    if (!page || !line) throw new Error(text);
    expectSoundPositions(page);
    expectNear(boundsOf(line), LINE);
  });
});

function expectNear(box: readonly number[], wanted: readonly number[]): void {
  const off = wanted.map((value, i) => Math.abs(value - (box[i] ?? 9)));
  expect(Math.max(...off), `${box} is not ${wanted}`).toBeLessThan(0.01);
}
