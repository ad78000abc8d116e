import { PDFArray, PDFName, PDFNumber, type PDFPageLeaf } from '@cantoo/pdf-lib';
import type { PageFrame } from './output-page.ts';

type Box = readonly [left: number, bottom: number, right: number, top: number];

const LETTER: Box = [0, 0, 612, 792];

/** The part of a page that a viewer shows: the crop box within the media box. Null where they have nothing in common. */
export function frameOf(leaf: PDFPageLeaf): PageFrame | null {
  const media = boxOf(leaf, 'MediaBox') ?? LETTER;
  const crop = boxOf(leaf, 'CropBox') ?? media;
  const left = Math.max(media[0], crop[0]);
  const bottom = Math.max(media[1], crop[1]);
  const right = Math.min(media[2], crop[2]);
  const top = Math.min(media[3], crop[3]);
  if (!(right > left && top > bottom)) return null;
  return { left, bottom, right, top, rotate: turnOf(leaf) };
}

function boxOf(leaf: PDFPageLeaf, name: string): Box | null {
  const value = inherited(leaf, name);
  if (!(value instanceof PDFArray) || value.size() < 4) return null;
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => numberOf(value.lookup(index)));
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
  const box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const;
  return box[2] > box[0] && box[3] > box[1] ? box : null;
}

function turnOf(leaf: PDFPageLeaf): PageFrame['rotate'] {
  const degrees = numberOf(inherited(leaf, 'Rotate')) ?? 0;
  const quarters = ((Math.round(degrees / 90) % 4) + 4) % 4;
  return ([0, 90, 180, 270] as const)[quarters] ?? 0;
}

function inherited(leaf: PDFPageLeaf, name: string): unknown {
  return leaf.context.lookup(leaf.getInheritableAttribute(PDFName.of(name)));
}

function numberOf(value: unknown): number | undefined {
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}
