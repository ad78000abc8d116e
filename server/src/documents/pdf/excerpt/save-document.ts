import { memoryOf, type Pdfium, type Pointer, withMemory } from '../library/pdfium.ts';
import { type CompiledFunction, webAssembly } from '../library/web-assembly.ts';

/** Bytes of FPDF_FILEWRITE: its version, and a pointer to the function that takes the bytes. */
const WRITER_BYTES = 8;
const VERSION = 1;
/** The table's slot for C's null pointer: it is empty, and the table has no other one and does not grow. */
const FREE_SLOT = 0;
const NO_FLAGS = 0;

/** Takes `bytes` of PDFium's memory from an address; 0 ends the writing. */
type Take = (writer: Pointer, address: Pointer, bytes: number) => number;

/**
 * A module that imports `a.a`, a function of three integers to one, and exports it as `a`: a table takes only functions of
 * WebAssembly.
 */
const WRAPPER = new webAssembly.Module(
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic number and version
    ...[1, 8, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f], // type 0
    ...[2, 7, 1, 1, 0x61, 1, 0x61, 0, 0], // import
    ...[7, 5, 1, 1, 0x61, 0, 0], // export
  ]),
);

/** Writes a document of PDFium as a file; null where it cannot be written, or would be larger than `mostBytes`. */
export function saveDocument(pdfium: Pdfium, document: Pointer, mostBytes: number): Uint8Array<ArrayBuffer> | null {
  const parts: Uint8Array[] = [];
  let length = 0;
  const take: Take = (_writer, address, bytes) => {
    length += bytes;
    if (length > mostBytes) return 0;
    parts.push(memoryOf(pdfium).slice(address, address + bytes));
    return 1;
  };
  return save(pdfium, document, take) ? joined(parts, length) : null;
}

function save(pdfium: Pdfium, document: Pointer, take: Take): boolean {
  const table = pdfium.__indirect_function_table;
  return withMemory(pdfium, WRITER_BYTES, (writer) => {
    new Uint32Array(pdfium.memory.buffer, writer, 2).set([VERSION, FREE_SLOT]);
    table.set(FREE_SLOT, compiled(take));
    try {
      return pdfium.FPDF_SaveAsCopy(document, writer, NO_FLAGS) !== 0;
    } finally {
      table.set(FREE_SLOT, null);
    }
  });
}

function compiled(take: Take): CompiledFunction | null {
  return new webAssembly.Instance(WRAPPER, { a: { a: take } }).exports['a'] ?? null;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
