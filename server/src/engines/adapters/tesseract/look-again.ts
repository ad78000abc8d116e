import type { PreprocessingStep } from '../../../documents/formats/document.ts';
import { sharp } from '../../../documents/pictures/sharp.ts';
import { READABLE } from './orientation.ts';
import { ESTIMATE_DPI, type Recogniser, type RecognitionTask } from './recogniser.ts';
import type { Recognition } from './recognition.ts';

/** A reading, and the picture and settings that it was read from. */
export interface Look {
  readonly task: RecognitionTask;
  readonly recognition: Recognition;
  readonly steps: readonly PreprocessingStep[];
}

/** Makes a picture black and white, without specks and shadows. */
export type Clean = (
  picture: { bytes: Buffer; width: number; height: number },
  radius: number,
  signal: AbortSignal,
) => Promise<Buffer>;

/** Confidence from which on a page was read well. */
const SURE = 0.9;
/** Height in pixels below which words are enlarged, and the height at which Tesseract reads best. */
const SMALL_WORDS = 20;
const GOOD_WORDS = 32;
const MOST_PIXELS = 40e6;
/** Factors by which the score has to grow for another picture to be taken. */
const GAIN = { enlarged: 1.05, second_look: 1.2 };
/** Radius of the square by which a pixel is judged: about as high as a line. */
const RADIUS = { usual: 15, least: 8, most: 40, ofWord: 0.6 };

/**
 * Looks again at a page that was read badly: larger where its letters are small, then without specks and shadows. A look is taken
 * only where it reads clearly more; `onBetter` gets it at once, because the next may be broken off.
 */
export async function lookAgain(
  recogniser: Recogniser,
  first: Look,
  { clean, onBetter, signal }: { clean: Clean; onBetter: (look: Look) => void; signal: AbortSignal },
): Promise<void> {
  let best = first;
  const tryLook = async (step: keyof typeof GAIN, task: RecognitionTask) => {
    const recognition = await recogniser.recognise(task, signal);
    if (!isBetter(recognition, best.recognition, GAIN[step])) return;
    best = { task, recognition, steps: [...best.steps, step] };
    onBetter(best);
  };
  if (!isUnsure(first.recognition)) return;
  const larger = await enlarge(first);
  if (larger) await tryLook('enlarged', larger);
  if (!isUnsure(best.recognition)) return;
  const { bytes } = best.task.picture;
  const { width, height } = await sharp(bytes).metadata();
  const cleaned = await clean({ bytes, width, height }, radiusFor(best.recognition), signal);
  await tryLook('second_look', { ...best.task, picture: { bytes: cleaned } });
}

/** Whether a page may read better than it did; also true for one without a letter. */
export function isUnsure({ confidence }: Recognition): boolean {
  return (confidence ?? 0) < SURE;
}

/**
 * Whether one reading is better than another. The score counts letters by how surely they were read; noise that is taken for
 * letters is read with little confidence.
 */
function isBetter(one: Recognition, other: Recognition, gain: number): boolean {
  return one.letters >= 2 && (one.confidence ?? 0) >= READABLE && one.score > gain * other.score;
}

/** The factor by which a page should be larger for its words to have a good height; 1 where they have it. */
function enlargement({ wordHeight }: Recognition, pixels: number): number {
  if (wordHeight === null || wordHeight >= SMALL_WORDS) return 1;
  return Math.min(GOOD_WORDS / wordHeight, Math.sqrt(MOST_PIXELS / pixels));
}

async function enlarge({ task, recognition }: Look): Promise<RecognitionTask | null> {
  const { bytes } = task.picture;
  const { width, height } = await sharp(bytes).metadata();
  const scale = enlargement(recognition, width * height);
  if (scale <= 1) return null;
  const larger = sharp(bytes).resize({ width: Math.round(width * scale), kernel: 'cubic' });
  // What the file says of its resolution is no longer so; Tesseract's own guess is better than any that we can make.
  return { ...task, dpi: ESTIMATE_DPI, picture: { bytes: await larger.png({ compressionLevel: 0 }).toBuffer() } };
}

function radiusFor({ wordHeight }: Recognition): number {
  if (wordHeight === null) return RADIUS.usual;
  return Math.round(Math.min(RADIUS.most, Math.max(RADIUS.least, RADIUS.ofWord * wordHeight)));
}
