import { sharp } from '../../../documents/pictures/sharp.ts';
import type { Recognition } from './recognition.ts';

/** Letters to be shown: detection of scripts gives up on fewer than some fifty. */
const ENOUGH_LETTERS = 120;
const MOST_TIMES = 40;
const MOST_PIXELS = 4_000_000;
const MARGIN_PX = 10;

/**
 * A picture of the found lines of a page with few letters, repeated so often that the detection of scripts looks at it; null
 * where nothing was found, or more than a few lines.
 */
export async function repeatLines(bytes: Buffer, { lines, letters }: Recognition): Promise<Buffer | null> {
  if (lines.length === 0 || letters === 0) return null;
  const { width, height } = await sharp(bytes).metadata();
  const left = Math.max(0, Math.min(...lines.map(({ box }) => box.left)) - MARGIN_PX);
  const top = Math.max(0, Math.min(...lines.map(({ box }) => box.top)) - MARGIN_PX);
  const right = Math.min(width, Math.max(...lines.map(({ box }) => box.left + box.width)) + MARGIN_PX);
  const bottom = Math.min(height, Math.max(...lines.map(({ box }) => box.top + box.height)) + MARGIN_PX);
  const size = { width: right - left, height: bottom - top };
  const step = size.height + MARGIN_PX;
  const times = Math.min(
    MOST_TIMES,
    Math.ceil(ENOUGH_LETTERS / letters),
    Math.floor(MOST_PIXELS / (size.width * step)),
  );
  if (times < 2) return null;
  const part = await sharp(bytes)
    .extract({ left, top, ...size })
    .flatten({ background: 'white' })
    .png()
    .toBuffer();
  const sheet = { width: size.width + 2 * MARGIN_PX, height: times * step + MARGIN_PX };
  return sharp({ create: { ...sheet, channels: 3, background: 'white' } })
    .composite(
      Array.from({ length: times }, (_, row) => ({ input: part, left: MARGIN_PX, top: MARGIN_PX + row * step })),
    )
    .greyscale()
    .png({ compressionLevel: 1 })
    .toBuffer();
}
