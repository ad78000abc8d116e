import { AppError } from '../../platform/errors.ts';
import type { Affine } from '../formats/document.ts';
import { sniff } from '../formats/sniff.ts';
import { bilevelPng } from '../pictures/bilevel-png.ts';
import { readJpeg } from '../pictures/jpeg.ts';
import { memoryOf, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';
import { type Box, matrixOf, pageBox, pictureData } from './pdf-objects.ts';

/** A picture file that is all there is on a page. */
export interface TakenPicture {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly format: 'jpeg' | 'png';
  readonly dpi: number;
  /** The place of the picture on the page: maps fractions of the picture to fractions of the page. */
  readonly placement: Affine;
}

const IMAGE = 3;
const GREY_BITMAP = 1;
/** Colour spaces whose numbers mean the same in a picture file: device, calibrated and ICC grey and RGB. */
const PLAIN_COLOURS = [1, 2, 4, 5, 7];
/** Resolutions at which a picture is taken: lower ones read better enlarged, higher ones only take longer. */
const GOOD_DPI = { from: 200, to: 400 };
const TOLERANCE = 0.02;

/**
 * Takes out the picture of a page that is one upright, opaque picture and nothing else, at its own resolution: a scan.
 * That is several times faster than drawing it, and loses nothing. Null for every other page.
 */
export function takePicture(pdfium: Pdfium, page: Pointer, maxPixels: number): TakenPicture | null {
  if (pdfium.FPDFPage_CountObjects(page) !== 1 || pdfium.FPDFPage_GetAnnotCount(page) > 0) return null;
  if (pdfium.FPDFPage_GetRotation(page) !== 0) return null;
  const image = pdfium.FPDFPage_GetObject(page, 0);
  if (pdfium.FPDFPageObj_GetType(image) !== IMAGE || pdfium.FPDFPageObj_HasTransparency(image) !== 0) return null;
  const area = pageBox(pdfium, page);
  const matrix = matrixOf(pdfium, image);
  if (isClipped(pdfium, image) || !fills(matrix, area)) return null;

  const { width, height, bitsPerPixel, colours } = pictureData(pdfium, image, page);
  const dpi = (width * 72) / (area[2] - area[0]);
  const square = Math.abs((height * 72) / (area[3] - area[1]) / dpi - 1) <= TOLERANCE;
  const good = square && dpi >= GOOD_DPI.from && dpi <= GOOD_DPI.to && width * height <= maxPixels;
  if (!good || !PLAIN_COLOURS.includes(colours)) return null;
  const taken = bitsPerPixel === 1 ? takeBilevel(pdfium, image) : takeJpeg(pdfium, image, bitsPerPixel);
  return taken && { ...taken, dpi: Math.round(dpi), placement: placementOf(matrix, area) };
}

/** An upright picture's matrix, from points of the page to fractions of it from the top left. */
function placementOf([a, , , d, e, f]: ReturnType<typeof matrixOf>, [left, bottom, right, top]: Box): Affine {
  const [width, height] = [right - left, top - bottom];
  return [a / width, 0, 0, d / height, (e - left) / width, (top - f - d) / height];
}

function isClipped(pdfium: Pdfium, image: Pointer): boolean {
  const clip = pdfium.FPDFPageObj_GetClipPath(image);
  return clip !== 0 && pdfium.FPDFClipPath_CountPaths(clip) > 0;
}

/** Whether a picture fills the area: its matrix maps the unit square to its place. */
function fills([a, b, c, d, e, f]: ReturnType<typeof matrixOf>, [left, bottom, right, top]: Box): boolean {
  const slack = TOLERANCE * Math.max(right - left, top - bottom);
  const near = (one: number, other: number) => Math.abs(one - other) <= slack;
  const upright = a > 0 && d > 0 && Math.abs(b) < 0.01 && Math.abs(c) < 0.01;
  return upright && near(e, left) && near(f, bottom) && near(e + a, right) && near(f + d, top);
}

/** Takes a JPEG: in a PDF it is the file that it was, unless another filter is wrapped around it. */
function takeJpeg(pdfium: Pdfium, image: Pointer, bitsPerPixel: number): Pick<TakenPicture, 'file' | 'format'> | null {
  if (bitsPerPixel !== 8 && bitsPerPixel !== 24) return null;
  if (pdfium.FPDFImageObj_GetImageFilterCount(image) !== 1 || filterOf(pdfium, image) !== 'DCTDecode') return null;
  const length = pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  const file = withMemory(pdfium, length, (at) => {
    pdfium.FPDFImageObj_GetImageDataRaw(image, at, length);
    return memoryOf(pdfium).slice(at, at + length);
  });
  return isPlainJpeg(file) ? { file, format: 'jpeg' } : null;
}

/**
 * Whether the JPEG can be taken as it is: PDFium draws broken ones as far as they go, and ignores the orientation that a camera
 * left in them.
 */
function isPlainJpeg(file: Uint8Array<ArrayBuffer>): boolean {
  try {
    return sniff(file) === 'jpeg' && readJpeg(Buffer.from(file.buffer)).plain;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function filterOf(pdfium: Pdfium, image: Pointer): string {
  return withMemory(pdfium, 64, (at) => {
    const length = pdfium.FPDFImageObj_GetImageFilter(image, 0, at, 64);
    return Buffer.from(memoryOf(pdfium).slice(at, at + Math.max(0, Math.min(64, length) - 1))).toString('latin1');
  });
}

function takeBilevel(pdfium: Pdfium, image: Pointer): Pick<TakenPicture, 'file' | 'format'> | null {
  const bitmap = pdfium.FPDFImageObj_GetBitmap(image);
  if (!bitmap) return null;
  try {
    if (pdfium.FPDFBitmap_GetFormat(bitmap) !== GREY_BITMAP) return null;
    const size = {
      width: pdfium.FPDFBitmap_GetWidth(bitmap),
      height: pdfium.FPDFBitmap_GetHeight(bitmap),
      stride: pdfium.FPDFBitmap_GetStride(bitmap),
    };
    const address = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const png = bilevelPng(memoryOf(pdfium).subarray(address, address + size.stride * size.height), size);
    return png && { file: new Uint8Array(png), format: 'png' };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}
