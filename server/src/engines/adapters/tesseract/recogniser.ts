import type { PagePicture } from '../../../documents/formats/document.ts';
import type { Recognition } from './recognition.ts';

/** A picture: its bytes, and an open file of them where there is one. */
type Picture = Pick<PagePicture, 'bytes' | 'file'>;

/** One picture to recognise, with everything decided. */
export interface RecognitionTask {
  /** A picture that was decoded and encoded again; never what a caller sent. */
  readonly picture: Picture;
  /** Codes with data on this machine, the first being the main one. */
  readonly languages: readonly string[];
  /** Page segmentation mode. */
  readonly psm: number;
  /** Dots per inch; `ESTIMATE_DPI` lets the recogniser estimate. */
  readonly dpi: number;
  readonly variables: Readonly<Record<string, string>>;
}

/** A resolution that stands for none, the least credible one: the size of the text decides then, whatever the file claims. */
export const ESTIMATE_DPI = 70;

/** A script, such as `Cyrillic`; a confidence from 1 on means something. */
export interface DetectedScript {
  readonly name: string;
  readonly confidence: number;
}

/** Tesseract, either as a program or compiled to WebAssembly. */
export interface Recogniser extends AsyncDisposable {
  /** Such as `tesseract 5.3.0`. */
  readonly version: string;
  /** The page segmentation mode that it reads in when it is asked for one. */
  modeFor(psm: number): number;
  /** Whether there is data for a language code. */
  knows(code: string): boolean;
  /** The script of a page, as Tesseract's orientation and script detection names it; null where it cannot tell. */
  detectScript(picture: Picture, signal: AbortSignal): Promise<DetectedScript | null>;
  /** Recognises a picture. Rejects with a `RecognitionError`, or with the signal's reason once the work is stopped. */
  recognise(task: RecognitionTask, signal: AbortSignal): Promise<Recognition>;
}

export class RecognitionError extends Error {
  override readonly name = 'RecognitionError';
  /** `unreadable`: the picture is at fault. `failed`: the recogniser is. */
  readonly kind: 'unreadable' | 'failed';

  constructor(kind: 'unreadable' | 'failed', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const CJK = /^(jpn|kor|chi_sim|chi_tra)(_vert)?$/;

/**
 * Variables for Chinese, Japanese and Korean text: characters as wide as they are tall (the Korean data does not say so, and its
 * pages fall apart), and no blanks between characters that stand close.
 */
export function languageVariables(languages: readonly string[]): Record<string, string> {
  if (!languages.some((code) => CJK.test(code))) return {};
  return { textord_use_cjk_fp_model: '1', preserve_interword_spaces: '1' };
}
