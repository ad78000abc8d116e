import sharp from 'sharp';
import { scannedJpeg } from '../../house/scanned-jpeg.ts';
import type { Attack, Target } from '../attack.ts';
import { barrage } from './post.ts';

/** 24 megapixels, or a share of them. */
const sizeOf = (share: number) => ({
  width: Math.round(6000 * Math.sqrt(share)),
  height: Math.round(4000 * Math.sqrt(share)),
});
/** As many as the gateway admits: each goes over the whole picture. */
const SCANS = 100;

/** An engine of a provider's takes it only once it is upright. */
const turned = async (share: number) => scannedJpeg({ ...sizeOf(share), scans: SCANS, orientation: 6 });
const upright = async (share: number) => scannedJpeg({ ...sizeOf(share), scans: SCANS });

const inkOfFourColours = (share: number) =>
  sharp({ create: { ...sizeOf(share), channels: 3, background: '#888' } })
    .toColourspace('cmyk')
    .jpeg({ progressive: true })
    .toBuffer();

const EXIF_BLOCKS = 100_000;

/** Blocks that are broken off, before a picture. Its header is looked at before anybody asks for money. */
async function manyExifBlocks(): Promise<Buffer> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  const block = Buffer.from('ffe1000e4578696600004d4d002a0000', 'hex');
  return Buffer.concat([picture.subarray(0, 2), ...Array<Buffer>(EXIF_BLOCKS).fill(block), picture.subarray(2)]);
}

function picture(name: string, make: (share: number) => Promise<Buffer>): Attack {
  let made: Promise<Buffer> | undefined;
  const prepare = ({ share }: Target) => (made ??= make(share));
  return {
    name,
    finding: 'S8',
    prepare, // it takes seconds
    run: async (target, signal) =>
      barrage(target.funded, { engine: 'instant', document: await prepare(target), answers: [200, 202, 503] }, signal),
  };
}

export const scannedPictures = picture('pictures of a hundred scans', turned);
export const untouchedPictures = picture('pictures of a hundred scans that go to the engine as they are', upright);
export const cmykPictures = picture('progressive CMYK pictures of 24 megapixels', inkOfFourColours);

export const blockedPictures: Attack = {
  name: 'pictures behind a hundred thousand EXIF blocks',
  finding: 'S8',
  run: async ({ funded }, signal) =>
    barrage(funded, { engine: 'instant', document: await manyExifBlocks(), answers: [422] }, signal),
};
