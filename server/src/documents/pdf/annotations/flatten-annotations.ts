import type { Pdfium, Pointer } from '../library/pdfium.ts';

/** Subtypes that somebody writes with: free text, stamps, form fields. */
const WRITTEN = [3, 13, 20];
const MOST_LOOKED_AT = 500;
/**
 * Most annotations whose appearances are made. The time grows with the square of their number: 2000 take less than half a second,
 * 40,000 would take 17.
 */
const MOST_MADE = 2000;
const NO_VIEW = 1 << 5;
const AS_DISPLAYED = 0;
const GREY_FORMAT = 1;
const WITH_ANNOTATIONS = 0x01;
/** Where the page is drawn: beside a bitmap of one pixel. */
const OUTSIDE = { x: 10, y: 10, width: 1, height: 1 };

/**
 * Makes the annotations of a page a part of it, where somebody wrote on it: into form fields, as free text, with a stamp. As
 * annotations they are neither drawn nor part of the text. True where the page has changed; the change shows when the page is
 * opened anew.
 */
export function flattenAnnotations(pdfium: Pdfium, page: Pointer): boolean {
  if (!isWrittenOn(pdfium, page)) return false;
  removeUnseen(pdfium, page);
  makeAppearances(pdfium, page);
  pdfium.FPDFPage_Flatten(page, AS_DISPLAYED);
  return true;
}

function isWrittenOn(pdfium: Pdfium, page: Pointer): boolean {
  const count = Math.min(MOST_LOOKED_AT, pdfium.FPDFPage_GetAnnotCount(page));
  return Array.from({ length: count }).some((_, index) =>
    WRITTEN.includes(withAnnotation(pdfium, page, index, (annotation) => pdfium.FPDFAnnot_GetSubtype(annotation))),
  );
}

/** Removes annotations that are there for print alone: flattening would show them. */
function removeUnseen(pdfium: Pdfium, page: Pointer): void {
  for (let index = pdfium.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
    const flags = withAnnotation(pdfium, page, index, (annotation) => pdfium.FPDFAnnot_GetFlags(annotation));
    if ((flags & NO_VIEW) !== 0) pdfium.FPDFPage_RemoveAnnot(page, index);
  }
}

/**
 * Has PDFium make the appearances that are left to the viewer: highlights, ink, free text, fields of forms that ask for it.
 * PDFium makes them when it draws annotations; flattening keeps only annotations that have one. Nothing of the page is drawn.
 */
function makeAppearances(pdfium: Pdfium, page: Pointer): void {
  if (pdfium.FPDFPage_GetAnnotCount(page) > MOST_MADE) return;
  const bitmap = pdfium.FPDFBitmap_CreateEx(1, 1, GREY_FORMAT, 0, 0);
  try {
    const { x, y, width, height } = OUTSIDE;
    pdfium.FPDF_RenderPageBitmap(bitmap, page, x, y, width, height, 0, WITH_ANNOTATIONS);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

function withAnnotation<T>(pdfium: Pdfium, page: Pointer, index: number, use: (annotation: Pointer) => T): T {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index);
  try {
    return use(annotation);
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}
