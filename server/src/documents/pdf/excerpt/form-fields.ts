import { memoryOf, type Pdfium, type Pointer, withMemory } from '../library/pdfium.ts';

const KIND = { link: 2, popup: 16, field: 20 };
const SUBTYPES_NEVER_DRAWN = [KIND.link, KIND.popup];
const MOST_ANNOTATIONS = 2000;
const AS_DISPLAYED = 0;
/** FLATTEN_FAIL. */
const FAILED = 0;

/**
 * Makes the fields of a form a part of their page, as they are drawn: an excerpt has no form, so they would not be shown. False
 * where fields or other annotations of the page would be lost: one without an appearance stream is drawn by its viewer.
 */
export function flattenFields(pdfium: Pdfium, page: Pointer): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  if (count > MOST_ANNOTATIONS) return false;
  const annotations = Array.from({ length: count }, (_, index) => annotationAt(pdfium, page, index));
  if (!annotations.some(({ subtype }) => subtype === KIND.field)) return true;
  if (annotations.some(needsViewer)) return false;
  return pdfium.FPDFPage_Flatten(page, AS_DISPLAYED) !== FAILED;
}

interface Annotation {
  readonly subtype: number;
  readonly hasAppearance: boolean;
  /** Whether a field has a value: its own, or, where it has no name itself, that of the field of which it is one place. */
  readonly mayHaveValue: boolean;
}

function annotationAt(pdfium: Pdfium, page: Pointer, index: number): Annotation {
  const handle = pdfium.FPDFPage_GetAnnot(page, index);
  const has = (key: string) => hasKey(pdfium, handle, key);
  try {
    return {
      subtype: pdfium.FPDFAnnot_GetSubtype(handle),
      hasAppearance: has('AP'),
      mayHaveValue: has('V') || (has('Parent') && !has('T')),
    };
  } finally {
    pdfium.FPDFPage_CloseAnnot(handle);
  }
}

function needsViewer({ subtype, hasAppearance, mayHaveValue }: Annotation): boolean {
  if (hasAppearance || SUBTYPES_NEVER_DRAWN.includes(subtype)) return false;
  return subtype !== KIND.field || mayHaveValue;
}

function hasKey(pdfium: Pdfium, annotation: Pointer, key: string): boolean {
  const bytes = Buffer.from(`${key}\0`, 'latin1');
  return withMemory(pdfium, bytes.length, (at) => {
    memoryOf(pdfium).set(bytes, at);
    return pdfium.FPDFAnnot_HasKey(annotation, at) !== 0;
  });
}
