import { picture } from './pictures.ts';

/** Fields of POST /v1/ocr besides `engine` and `input`. */
export type OcrFields = Readonly<Record<string, unknown>>;

/** A body of POST /v1/ocr for a document's bytes. */
export function ocrBody(engine: string, document: Buffer, fields: OcrFields = {}) {
  return { engine, input: { type: 'base64', data_base64: document.toString('base64') }, ...fields };
}

/** A body for a document at an address. */
export function urlBody(engine: string, url: string, fields: OcrFields = {}) {
  return { engine, input: { type: 'url', url }, ...fields };
}

/** A body for a picture that nobody has sent before. */
export async function pictureBody(engine = 'reader', fields: OcrFields = {}) {
  return ocrBody(engine, await picture(), fields);
}
