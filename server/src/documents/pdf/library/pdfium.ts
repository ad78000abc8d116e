import { PDFiumModule } from '@hyzyla/pdfium';
import { type CompiledModule, type FunctionTable, type Imports, webAssembly } from './web-assembly.ts';

/** An address in PDFium's memory, or a handle it gave out; 0 means none. */
export type Pointer = number;

/** The functions of PDFium that are called here, by the names of its public headers. */
interface Functions {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The table of functions that PDFium's code calls by pointers. */
  readonly __indirect_function_table: FunctionTable;
  malloc(bytes: number): Pointer;
  free(address: Pointer): void;
  FPDF_InitLibrary(): void;
  FPDF_LoadMemDocument(bytes: Pointer, length: number, password: Pointer): Pointer;
  FPDF_GetLastError(): number;
  FPDF_CreateNewDocument(): Pointer;
  FPDF_ImportPagesByIndex(to: Pointer, from: Pointer, indices: Pointer, count: number, at: number): number;
  FPDF_SaveAsCopy(document: Pointer, writer: Pointer, flags: number): number;
  FPDF_CloseDocument(document: Pointer): void;
  FPDF_DocumentHasValidCrossReferenceTable(document: Pointer): number;
  FPDF_GetPageCount(document: Pointer): number;
  FPDF_GetFormType(document: Pointer): number;
  FPDF_GetPageSizeByIndexF(document: Pointer, index: number, size: Pointer): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_ClosePage(page: Pointer): void;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDF_GetPageBoundingBox(page: Pointer, rect: Pointer): number;
  FPDF_RenderPageBitmap(...args: [Pointer, Pointer, number, number, number, number, number, number]): void;
  FPDF_PageToDevice(
    ...args: [Pointer, number, number, number, number, number, x: number, y: number, atX: Pointer, atY: Pointer]
  ): number;
  FPDFPage_GetRotation(page: Pointer): number;
  FPDFPage_Flatten(page: Pointer, usage: number): number;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFPage_RemoveAnnot(page: Pointer, index: number): number;
  FPDFAnnot_GetSubtype(annotation: Pointer): number;
  FPDFAnnot_GetFlags(annotation: Pointer): number;
  FPDFAnnot_HasKey(annotation: Pointer, key: Pointer): number;
  FPDFPage_CountObjects(page: Pointer): number;
  FPDFPage_GetObject(page: Pointer, index: number): Pointer;
  FPDFPageObj_GetType(object: Pointer): number;
  FPDFPageObj_GetBounds(object: Pointer, left: Pointer, bottom: Pointer, right: Pointer, top: Pointer): number;
  FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number;
  FPDFPageObj_GetClipPath(object: Pointer): Pointer;
  FPDFPageObj_HasTransparency(object: Pointer): number;
  FPDFPageObj_CountMarks(object: Pointer): number;
  FPDFPageObj_GetMark(object: Pointer, index: number): Pointer;
  FPDFPageObjMark_CountParams(mark: Pointer): number;
  FPDFPageObjMark_GetParamBlobValue(
    ...args: [mark: Pointer, key: Pointer, at: Pointer, bytes: number, bytesNeeded: Pointer]
  ): number;
  FPDFClipPath_CountPaths(clip: Pointer): number;
  FPDFFormObj_CountObjects(form: Pointer): number;
  FPDFFormObj_GetObject(form: Pointer, index: number): Pointer;
  FPDFPath_CountSegments(path: Pointer): number;
  FPDFTextObj_GetTextRenderMode(text: Pointer): number;
  FPDFTextObj_GetFontSize(text: Pointer, size: Pointer): number;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  FPDFText_GetTextIndexFromCharIndex(text: Pointer, index: number): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFText_GetCharOrigin(text: Pointer, index: number, x: Pointer, y: Pointer): number;
  FPDFText_GetText(text: Pointer, start: number, count: number, utf16: Pointer): number;
  FPDFText_GetCharBox(
    text: Pointer,
    index: number,
    left: Pointer,
    right: Pointer,
    bottom: Pointer,
    top: Pointer,
  ): number;
  FPDFText_GetLooseCharBox(text: Pointer, index: number, rect: Pointer): number;
  FPDFText_GetCharAngle(text: Pointer, index: number): number;
  FPDFText_GetFontSize(text: Pointer, index: number): number;
  FPDFText_GetMatrix(text: Pointer, index: number, matrix: Pointer): number;
  FPDFText_HasUnicodeMapError(text: Pointer, index: number): number;
  FPDFText_IsHyphen(text: Pointer, index: number): number;
  FPDFText_IsGenerated(text: Pointer, index: number): number;
  FPDFImageObj_GetImageMetadata(image: Pointer, page: Pointer, metadata: Pointer): number;
  FPDFImageObj_GetImageFilterCount(image: Pointer): number;
  FPDFImageObj_GetImageFilter(image: Pointer, index: number, name: Pointer, length: number): number;
  FPDFImageObj_GetImageDataRaw(image: Pointer, bytes: Pointer, length: number): number;
  FPDFImageObj_GetBitmap(image: Pointer): Pointer;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: Pointer, stride: number): Pointer;
  FPDFBitmap_FillRect(...args: [Pointer, number, number, number, number, number]): number;
  FPDFBitmap_GetFormat(bitmap: Pointer): number;
  FPDFBitmap_GetWidth(bitmap: Pointer): number;
  FPDFBitmap_GetHeight(bitmap: Pointer): number;
  FPDFBitmap_GetStride(bitmap: Pointer): number;
  FPDFBitmap_GetBuffer(bitmap: Pointer): Pointer;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
}

/** One instance of PDFium with a memory of its own; a failure inside ends only the instance. */
export type Pdfium = Functions;

/** Silences what PDFium prints to standard error before it aborts: the exception says it, too. */
const QUIET = { printErr: () => undefined };

/** Starts an instance whose memory may not grow beyond `maxBytes`: it aborts instead. */
export async function startPdfium(compiled: CompiledModule, maxBytes: number): Promise<Pdfium> {
  const library = await PDFiumModule({
    instantiateWasm(imports: Imports, done: (instance: object) => void) {
      bound(imports, maxBytes);
      void webAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
    ...QUIET,
  });
  // The package's types know malloc and free only; its own wrappers lack most of what is called here.
  const pdfium = library.wasmExports as unknown as Pdfium;
  pdfium.FPDF_InitLibrary();
  return pdfium;
}

/** Bounds the memory: Emscripten asks through this import before it grows, and 0 means no. */
function bound(imports: Imports, maxBytes: number): void {
  const environment = imports['env'] as Record<string, (bytes: number) => number>;
  const grow = environment['emscripten_resize_heap'];
  environment['emscripten_resize_heap'] = (bytes) => (bytes >>> 0 > maxBytes || !grow ? 0 : grow(bytes));
}

/** The bytes of the memory as they are now: growing replaces them, so a view must not outlive a call. */
export function memoryOf(pdfium: Pdfium): Uint8Array<ArrayBuffer> {
  return new Uint8Array(pdfium.memory.buffer);
}

/** Lends `bytes` of PDFium's memory for the time of `use`. */
export function withMemory<T>(pdfium: Pdfium, bytes: number, use: (address: Pointer) => T): T {
  const address = pdfium.malloc(bytes);
  if (address === 0) throw new RangeError(`no ${bytes} bytes left`);
  try {
    return use(address);
  } finally {
    pdfium.free(address);
  }
}

/** Reads 32-bit floats that a function of PDFium left at an address. */
export function floatsAt(pdfium: Pdfium, address: Pointer, count: number): number[] {
  return [...new Float32Array(pdfium.memory.buffer, address, count)];
}
