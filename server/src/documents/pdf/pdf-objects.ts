import type { PageSize } from '../formats/document.ts';
import { floatsAt, type Pdfium, type Pointer, withMemory } from './library/pdfium.ts';

const TYPE = { text: 1, path: 2, image: 3, shading: 4, form: 5 };
const INVISIBLE = 3;
/** Deepest nesting of groups: nobody draws deeper ones by hand, and an endless nesting must end. */
const DEEPEST = 8;
/** Most objects of a page that are looked at: enough to judge it, and a bound for drawings of millions of lines. */
const MOST_OBJECTS = 20_000;

/** A box in points of the page's own coordinates: left, bottom, right, top. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** An object of a page, as far as judging the page needs it; they come in drawing order. */
export type PageObject =
  | { readonly kind: 'text'; readonly handle: Pointer; readonly invisible: boolean; box(): Box; matrix(): Matrix }
  | { readonly kind: 'picture'; readonly opaque: boolean; box(): Box; decodedBytes(): number }
  /** `strokes`: a rule has few, a word in curves has many. */
  | { readonly kind: 'drawing'; readonly strokes: number };

const METADATA_BYTES = 28;
const UNMOVED: Matrix = [1, 0, 0, 1, 0, 0];

/** The objects of a page, those inside groups (form XObjects) included. */
export function* pageObjects(pdfium: Pdfium, page: Pointer): Generator<PageObject> {
  const budget = { left: MOST_OBJECTS };
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index++) {
    yield* expand(pdfium, pdfium.FPDFPage_GetObject(page, index), { page, matrix: UNMOVED, depth: 0, budget });
  }
}

interface Place {
  readonly page: Pointer;
  readonly matrix: Matrix;
  readonly depth: number;
  readonly budget: { left: number };
}

function* expand(pdfium: Pdfium, object: Pointer, place: Place): Generator<PageObject> {
  if (place.budget.left-- <= 0) return;
  const box = () => moved(boundsOf(pdfium, object), place.matrix);
  switch (pdfium.FPDFPageObj_GetType(object)) {
    case TYPE.text:
      return yield {
        kind: 'text',
        handle: object,
        invisible: pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE,
        box,
        matrix: () => combined(matrixOf(pdfium, object), place.matrix),
      };
    case TYPE.image:
      return yield {
        kind: 'picture',
        opaque: pdfium.FPDFPageObj_HasTransparency(object) === 0,
        box,
        decodedBytes: () => decodedBytes(pictureData(pdfium, object, place.page)),
      };
    case TYPE.path:
      return yield { kind: 'drawing', strokes: pdfium.FPDFPath_CountSegments(object) };
    case TYPE.shading:
      return yield { kind: 'drawing', strokes: 1 };
    case TYPE.form:
      return yield* group(pdfium, object, place);
  }
}

function* group(pdfium: Pdfium, form: Pointer, { page, matrix, depth, budget }: Place): Generator<PageObject> {
  if (depth >= DEEPEST) return;
  const inside = { page, matrix: combined(matrixOf(pdfium, form), matrix), depth: depth + 1, budget };
  const count = pdfium.FPDFFormObj_CountObjects(form);
  for (let index = 0; index < count; index++) yield* expand(pdfium, pdfium.FPDFFormObj_GetObject(form, index), inside);
}

export interface PictureData {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  /** The colour space, as PDFium numbers them. */
  readonly colours: number;
}

export function pictureData(pdfium: Pdfium, image: Pointer, page: Pointer): PictureData {
  return withMemory(pdfium, METADATA_BYTES, (at) => {
    pdfium.FPDFImageObj_GetImageMetadata(image, page, at);
    // Width, height, two floats of resolution, bits a pixel, colour space, marked-content id.
    const [width = 0, height = 0, , , bitsPerPixel = 0, colours = 0] = new Uint32Array(pdfium.memory.buffer, at, 7);
    return { width, height, bitsPerPixel, colours };
  });
}

function decodedBytes({ width, height, bitsPerPixel }: PictureData): number {
  return (width * height * Math.max(1, bitsPerPixel)) / 8;
}

function boundsOf(pdfium: Pdfium, object: Pointer): Box {
  return withMemory(pdfium, 16, (at) => {
    pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
    // The call fills exactly these four.
    return floatsAt(pdfium, at, 4) as unknown as Box;
  });
}

export function matrixOf(pdfium: Pdfium, object: Pointer): Matrix {
  return withMemory(pdfium, 24, (at) => {
    pdfium.FPDFPageObj_GetMatrix(object, at);
    return floatsAt(pdfium, at, 6) as unknown as Matrix;
  });
}

/** The size of a page as it is shown, turned by its `/Rotate`. */
export function pageSize(pdfium: Pdfium, page: Pointer): PageSize {
  return {
    width: pdfium.FPDF_GetPageWidthF(page),
    height: pdfium.FPDF_GetPageHeightF(page),
    rotation: 90 * pdfium.FPDFPage_GetRotation(page),
  };
}

/** The visible part of the page, before it is turned. */
export function pageBox(pdfium: Pdfium, page: Pointer): Box {
  return withMemory(pdfium, 16, (at) => {
    pdfium.FPDF_GetPageBoundingBox(page, at);
    const [left = 0, top = 0, right = 0, bottom = 0] = floatsAt(pdfium, at, 4);
    return [left, bottom, right, top];
  });
}

/** The matrix that applies first `inner`, then `outer`. */
function combined(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** The box around a box after a matrix moved it. */
function moved([left, bottom, right, top]: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [a * left + c * bottom, a * left + c * top, a * right + c * bottom, a * right + c * top].map((x) => x + e);
  const ys = [b * left + d * bottom, b * left + d * top, b * right + d * bottom, b * right + d * top].map((y) => y + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
