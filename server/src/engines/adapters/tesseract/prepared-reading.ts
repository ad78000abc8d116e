import type { PreprocessingStep } from '../../../documents/formats/document.ts';
import { deskew } from '../../../documents/preprocessing/deskew.ts';
import { type Size, straightSheet } from '../../../documents/preprocessing/straight-sheet.ts';
import { AppError } from '../../../platform/errors.ts';
import { type LayoutLine, type LayoutWord, type PageLayout, type Quad, quadOf } from '../../model/page-layout.ts';
import { type Clean, isUnsure, type Look, lookAgain } from './look-again.ts';
import type { Turn } from './orientation.ts';
import { AUTOMATIC, type DocumentTurns, isFlat, type PageRecognition, readPage } from './read-page.ts';
import { type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import { turnPicture } from './sample.ts';
import { type Quarters, tableLines } from './table/table-lines.ts';
import { type Box, cutWords, PAGE, rowOf } from './table/table-row.ts';

export interface PreparedReading extends PageRecognition {
  /** Steps by which the page was changed to read better. */
  readonly steps: readonly PreprocessingStep[];
  /** Degrees, clockwise, by which its lines lay askew before they were straightened. */
  readonly skew: number;
}

export interface Preparation {
  /** Whether the page is prepared; false: it is read once, as it is. */
  readonly preprocess: boolean;
  readonly clean: Clean;
  /** Milliseconds for which a page that was read badly is looked at again. */
  readonly lookMs: number;
  readonly turns: DocumentTurns;
}

/**
 * Reads a page with its lines straightened, turned where it lies on its side or upside down, and once more where it was read
 * badly. A page that reads well takes one reading.
 */
export async function readPrepared(
  recogniser: Recogniser,
  task: RecognitionTask,
  { preprocess, clean, lookMs, turns }: Preparation,
  signal: AbortSignal,
): Promise<PreparedReading> {
  // In every other mode the caller has said how the text lies.
  if (!preprocess || task.psm !== AUTOMATIC) {
    return { ...(await recogniser.recognise(task, signal)), turnedBy: 0, steps: [], skew: 0 };
  }
  // The recogniser reports a picture that cannot be opened.
  const straight = await deskew(task.picture.bytes).catch(() => null);
  const straightTask = straight ? { ...task, picture: { bytes: straight.bytes } } : task;
  const page = await readPage(recogniser, straightTask, { turns, lookMs }, signal);
  const { turnedBy } = page;
  const skew = straight?.degrees ?? 0;
  const steps: PreprocessingStep[] = [
    ...(straight ? ['deskewed' as const] : []),
    ...(turnedBy ? ['turned' as const] : []),
  ];
  const { bytes } = straightTask.picture;
  if (!isUnsure(page) || (page.letters === 0 && (await isFlat(bytes)))) return { ...page, steps, skew };
  const upright = turnedBy ? { ...task, picture: { bytes: await turnPicture(bytes, turnedBy) } } : straightTask;
  const first: Look = { task: upright, recognition: page, steps };
  const best = await boundedLooks(recogniser, first, { clean, lookMs, signal });
  return { ...best.recognition, unknownVariables: page.unknownVariables, turnedBy, steps: best.steps, skew };
}

/** Looks again within the time. A look that fails, or takes too long, takes nothing from what was read before. */
async function boundedLooks(
  recogniser: Recogniser,
  first: Look,
  { clean, lookMs, signal }: Pick<Preparation, 'clean' | 'lookMs'> & { signal: AbortSignal },
): Promise<Look> {
  let best = first;
  const limit = AbortSignal.timeout(lookMs);
  const onBetter = (look: Look) => {
    best = look;
  };
  try {
    await lookAgain(recogniser, first, { clean, onBetter, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted && !(error instanceof RecognitionError) && !(error instanceof AppError)) throw error;
  }
  return best;
}

/** The places of a page's words on its picture as that was before any preparation. */
export function layoutOf(reading: PreparedReading, picture: Size): PageLayout {
  const table = cutWords(reading.rows.map(rowOf));
  const place = placeOnPicture(table.find(({ level }) => level === PAGE)?.box, reading, picture);
  const lines = tableLines(table).map(({ row, words, quarters }) => {
    const placed = (box: Box) => beginningAt(place(box), quarters);
    const inside = words.map(({ text, confidence, box }): LayoutWord => ({ text, confidence, box: placed(box) }));
    return withText({ text: '', confidence: null, block: row.block, box: placed(row.box), words: inside });
  });
  const { width, height } = picture;
  return { width, height, granularity: 'word', lines };
}

/** The corners of a box, beginning with the one where the text begins: so many quarter turns with the clock. */
function beginningAt(quad: Quad, quarters: Quarters): Quad {
  // As many numbers as there were.
  return [...quad.slice(2 * quarters), ...quad.slice(0, 2 * quarters)] as unknown as Quad;
}

/** The line with its text, and with its words' confidence, each weighted by the word's length. */
function withText(line: LayoutLine): LayoutLine {
  const weights = line.words.reduce((sum, { text }) => sum + text.length, 0);
  const weighted = line.words.reduce((sum, { text, confidence }) => sum + text.length * (confidence ?? 0), 0);
  return { ...line, text: line.words.map(({ text }) => text).join(' '), confidence: weighted / weights };
}

type Point = readonly [x: number, y: number];

/** Maps pixels of the picture that was read, whose size Tesseract tells, to pixels of the picture. */
function placeOnPicture(
  read: Size | undefined,
  { skew, turnedBy }: PreparedReading,
  picture: Size,
): (box: Box) => Quad {
  const straight = straightSheet(picture, skew);
  const isOnSide = turnedBy === 90 || turnedBy === 270;
  const { width, height } = read ?? (isOnSide ? { width: straight.height, height: straight.width } : straight);
  const back = (x: number, y: number): Point => {
    const [u, v] = TURNED_BACK[turnedBy](x / width, y / height);
    return straight.back(u * straight.width, v * straight.height);
  };
  return (box) => {
    const [x1, y1, x2, y2, x3, y3, x4, y4] = quadOf(box);
    return [...back(x1, y1), ...back(x2, y2), ...back(x3, y3), ...back(x4, y4)];
  };
}

/** Maps fractions of a page that was turned clockwise to fractions of the page as it lay. */
const TURNED_BACK: Readonly<Record<0 | Turn, (x: number, y: number) => Point>> = {
  0: (x, y) => [x, y],
  90: (x, y) => [y, 1 - x],
  180: (x, y) => [1 - x, 1 - y],
  270: (x, y) => [1 - y, x],
};
