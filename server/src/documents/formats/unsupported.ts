import type { AppError } from '../../platform/errors.ts';
import { unreadable } from './unreadable.ts';

const SUPPORTED = 'Supported are PNG, JPEG, WEBP, GIF, TIFF, BMP and PDF.';
const HEIF_BRANDS = ['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** The error for bytes that are no supported document; it says what they are, where that can be told. */
export function unsupported(bytes: Buffer): AppError {
  if (bytes.length === 0) return unreadable(`The document is empty. ${SUPPORTED}`);
  const kind = kindOf(bytes);
  return unreadable(`The document is ${kind ?? 'not in a supported format'}. ${SUPPORTED}`);
}

function kindOf(bytes: Buffer): string | undefined {
  const brand = bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes.toString('latin1', 8, 12) : '';
  if (HEIF_BRANDS.includes(brand)) return 'a HEIC picture, which is not supported';
  if (brand === 'avif') return 'an AVIF picture, which is not supported';
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04') return 'a ZIP archive or an office file, which is not supported';
  const text = bytes.toString('latin1', 0, 1024).toLowerCase();
  if (/<!doctype html|<html|<head|<body/.test(text)) {
    return 'a web page (HTML), such as a login page in place of the document';
  }
  if (text.includes('<svg')) return 'an SVG drawing, which is not supported';
  return undefined;
}
