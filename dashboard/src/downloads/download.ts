import { saveBlob } from '@ocr-router/ui/kit/save-file.ts';
import type { components } from '../../../openapi/types.d.ts';
import { apiAddress } from '../http/addresses.ts';
import { refusalOf } from '../http/refusal.ts';

export type FileFormat = components['parameters']['FileFormat'];

interface Wish {
  readonly id: string;
  readonly format: FileFormat;
  /** For formats that are made of it. */
  readonly document: Blob | null;
}

const EXTENSIONS: Readonly<Record<FileFormat, string>> = {
  pdf: 'pdf',
  hocr: 'html',
  alto: 'xml',
  text: 'txt',
  markdown: 'md',
  csv: 'csv',
};

/** Fetches a file of a result from the API and hands it to the browser. Throws a `Refusal` for an error. */
export async function download({ id, format, document }: Wish, token: string): Promise<void> {
  const response = await fetch(`${apiAddress()}/v1/ocr/${encodeURIComponent(id)}/output?format=${format}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(document && { 'content-type': 'application/octet-stream' }),
    },
    ...(document && { method: 'POST', body: document }),
  });
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null));
  saveBlob(`${id}.${EXTENSIONS[format]}`, await response.blob());
}
