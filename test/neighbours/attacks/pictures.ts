import sharp from 'sharp';
import { scannedJpeg } from '../../house/scanned-jpeg.ts';
import type { Attack } from '../attack.ts';
import { barrage } from './post.ts';

const SIZE = { width: 6000, height: 4000 };
/** As many as the gateway admits: each goes over the whole picture. */
const SCANS = 100;

/** An engine of a provider's takes it only once it is upright. */
const turned = async () => scannedJpeg({ ...SIZE, scans: SCANS, orientation: 6 });
const upright = async () => scannedJpeg({ ...SIZE, scans: SCANS });

const inkOfFourColours = () =>
  sharp({ create: { ...SIZE, channels: 3, background: '#888' } })
    .toColourspace('cmyk')
    .jpeg({ progressive: true })
    .toBuffer();

function picture(name: string, make: () => Promise<Buffer>): Attack {
  return {
    name,
    finding: 'S8',
    run: async ({ funded }, signal) =>
      barrage(funded, { engine: 'instant', document: await make(), answers: [200, 202] }, signal),
  };
}

export const scannedPictures = picture('pictures of a hundred scans', turned);
export const untouchedPictures = picture('pictures of a hundred scans that go to the engine as they are', upright);
export const cmykPictures = picture('progressive CMYK pictures of 24 megapixels', inkOfFourColours);
