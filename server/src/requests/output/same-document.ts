import { AppError } from '../../platform/errors.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { documentHash } from '../read/document-hash.ts';
import { isFingerprintOf } from '../submit/fingerprint.ts';

/** JSON begins with it; a picture never does, and hardly any PDF. */
const OPENING_BRACE = 0x7b;

/** Throws 400 for another document than that of the request, by its bytes. Of what a URL answered to an earlier version they are not known: any document passes. */
export async function requireSameDocument(request: OcrRequest, document: Buffer): Promise<void> {
  const { effective, documentHash: known, fingerprint: print } = request;
  const given = await documentHash(document);
  const isSame =
    effective.inputType === 'base64'
      ? print === null || isFingerprintOf(print, effective, given)
      : known === null || known === given;
  if (isSame) return;
  const hint = document[0] === OPENING_BRACE ? ' Send the document itself as the body, its raw bytes, not JSON.' : '';
  throw new AppError('invalid_request', `The document is not the one of the request: its bytes differ.${hint}`);
}
