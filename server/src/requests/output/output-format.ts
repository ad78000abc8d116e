import { enumType } from '../../platform/enum-type.ts';

export const FileFormat = enumType('FileFormat', 'A file that is made of a result.', {
  pdf: 'The document as a PDF with an invisible text layer.',
  hocr: 'An XHTML file by hOCR 1.2, with the places of blocks, lines and words.',
  alto: 'ALTO 4.4: an XML file with the places of blocks, lines and words.',
  text: 'Plain text.',
  markdown: 'The text as the engine gave it, Markdown where it writes that.',
  csv: 'Tables, as comma-separated values.',
});
export type FileFormat = keyof typeof FileFormat;

/** What a file is called and sent as. */
export const FILES: Readonly<Record<FileFormat, { readonly extension: string; readonly mediaType: string }>> = {
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
  hocr: { extension: 'html', mediaType: 'text/html; charset=utf-8' },
  alto: { extension: 'xml', mediaType: 'application/xml; charset=utf-8' },
  text: { extension: 'txt', mediaType: 'text/plain; charset=utf-8' },
  markdown: { extension: 'md', mediaType: 'text/markdown; charset=utf-8' },
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
};

/** Whether it is made of the places of the text, and not of the text alone. */
export function needsPositions(format: FileFormat): boolean {
  return format === 'pdf' || format === 'hocr' || format === 'alto';
}
