import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeRecognition } from './recognition.ts';
import { repeatLines } from './repeat-lines.ts';

/** A page with a black word, and what was read of it. */
async function page(letters: number, size = { width: 300, height: 200 }) {
  const word = { left: 60, top: 80, width: 120, height: 30 };
  const blank = sharp({ create: { ...size, channels: 3, background: 'white' } });
  const ink = await sharp({ create: { width: word.width, height: word.height, channels: 3, background: 'black' } })
    .png()
    .toBuffer();
  const bytes = await blank
    .composite([{ input: ink, left: word.left, top: word.top }])
    .png()
    .toBuffer();
  const row = `5\t1\t1\t1\t1\t1\t${word.left}\t${word.top}\t${word.width}\t${word.height}\t90\t${'x'.repeat(letters)}`;
  return { bytes, read: makeRecognition('', letters > 0 ? [row] : []) };
}

describe('repeatLines', () => {
  it('has the line so often that there are letters enough', async () => {
    const { bytes, read } = await page(12);
    const repeated = await repeatLines(bytes, read);
    const { width, height } = await sharp(repeated ?? bytes).metadata();
    expect(width).toBe(160);
    expect(height).toBe(10 * 60 + 10);
    const { channels } = await sharp(repeated ?? bytes).stats();
    // Of each 60 rows 30 are the word, of 120 pixels out of 160.
    expect(channels[0]?.mean).toBeCloseTo(255 * (1 - (10 * 30 * 120) / (160 * 610)), -1);
  });

  it('ends at so many, and repeats neither nothing nor a whole page', async () => {
    const one = await page(1);
    expect((await sharp((await repeatLines(one.bytes, one.read)) ?? one.bytes).metadata()).height).toBe(40 * 60 + 10);
    for (const { bytes, read } of [await page(0), await page(120)]) expect(await repeatLines(bytes, read)).toBeNull();
  });
});
