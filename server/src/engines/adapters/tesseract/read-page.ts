import { sharp } from '../../../documents/pictures/sharp.ts';
import { readColumns } from './columns.ts';
import { clearlyBest, type Suspicion, scoreToBeat, suspectOrientation, type Trial, type Turn } from './orientation.ts';
import { ESTIMATE_DPI, type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import type { Recognition } from './recognition.ts';
import { type Sample, takeSample, turnPicture } from './sample.ts';

export interface PageRecognition extends Recognition {
  /** Clockwise degrees by which the page was turned before it was read. */
  readonly turnedBy: 0 | Turn;
}

/** The segmentation mode that finds lines that run up or down; in any other the caller has said how the text lies. */
export const AUTOMATIC = 3;
/** Grey levels by which a page without text deviates: below it, it shows nothing that could be turned. */
const FLAT = 2.5;

/** The orientation of a document's pages so far: most documents were scanned one way. */
export interface DocumentTurns {
  /** The turn in which pages were read best; `null` where they differ, or none was turned yet. */
  turn: Turn | null;
  /** Number of pages that agree on this turn. */
  agreed: number;
  /** Number of pages that read badly, whichever way they were turned. */
  fruitless: number;
}

export function newDocumentTurns(): DocumentTurns {
  return { turn: null, agreed: 0, fruitless: 0 };
}

/** Pages after which the others are believed to lie like them. */
const ENOUGH_PAGES = 2;

/** The time for trying other orientations, and what is known of the document's other pages. */
interface TurnOptions {
  readonly turns: DocumentTurns;
  readonly lookMs: number;
}

/**
 * Reads a page as it lies, or first turned as the pages before it were. Only where that reading is poor are other orientations
 * tried, on a sample, and only the one that wins there is read in full: a page that reads well takes one reading, a turned one
 * two and a bit.
 */
export async function readPage(
  recogniser: Recogniser,
  task: RecognitionTask,
  { turns, lookMs }: TurnOptions,
  signal: AbortSignal,
): Promise<PageRecognition> {
  const alike = await readAlike(recogniser, { task, turns }, signal);
  if (alike) return alike;
  const asItLies = { ...(await recogniser.recognise(task, signal)), turnedBy: 0 as const };
  const suspicion = suspectOrientation(asItLies);
  if (suspicion.turns.length === 0 || (asItLies.letters === 0 && (await isFlat(task.picture.bytes)))) return asItLies;
  if (turns.fruitless >= ENOUGH_PAGES && !suspicion.sideways) return asItLies;
  const limit = AbortSignal.timeout(lookMs);
  const bounded = AbortSignal.any([signal, limit]);
  try {
    const columns = await readColumns(recogniser, task, { asItLies, signal: bounded });
    if (columns) return { ...columns, turnedBy: 0 };
    const turned = await readTurned(recogniser, { task, asItLies, suspicion }, bounded);
    note(turns, turned);
    return turned ?? asItLies;
  } catch (error) {
    signal.throwIfAborted();
    // A second look that fails, or takes too long, takes nothing from the first.
    if (limit.aborted || error instanceof RecognitionError) return asItLies;
    throw error;
  }
}

/** Reads the page turned as those before it; null where it does not read well so. */
async function readAlike(
  recogniser: Recogniser,
  { task, turns }: { task: RecognitionTask; turns: DocumentTurns },
  signal: AbortSignal,
): Promise<PageRecognition | null> {
  const { turn, agreed } = turns;
  if (turn === null || agreed < ENOUGH_PAGES) return null;
  const picture = { bytes: await turnPicture(task.picture.bytes, turn) };
  const recognition = await recogniser.recognise({ ...task, picture }, signal);
  if (suspectOrientation(recognition).turns.length === 0) return { ...recognition, turnedBy: turn };
  turns.agreed = 0;
  return null;
}

function note(turns: DocumentTurns, turned: PageRecognition | null): void {
  const turn = turned?.turnedBy || null;
  if (turn === null) {
    turns.fruitless++;
    return;
  }
  turns.agreed = turns.turn === turn ? turns.agreed + 1 : 1;
  turns.turn = turn;
}

interface Doubt {
  readonly task: RecognitionTask;
  readonly asItLies: Recognition;
  readonly suspicion: Suspicion;
}

/** Reads the page in the orientation that is clearly better; null where none is. */
async function readTurned(recogniser: Recogniser, doubt: Doubt, signal: AbortSignal): Promise<PageRecognition | null> {
  const { task, asItLies, suspicion } = doubt;
  const sample = await takeSample(task.picture.bytes, asItLies);
  const trials = await Promise.all(suspicion.turns.map((turn) => tryTurn(recogniser, { task, sample, turn }, signal)));
  const best = clearlyBest(trials, scoreToBeat(sample.score, asItLies, suspicion));
  if (!best) return null;
  const { turn } = best;
  if (sample.whole) return { ...best.recognition, turnedBy: turn };
  const turned = await recogniser.recognise(
    { ...task, picture: { bytes: await turnPicture(task.picture.bytes, turn) } },
    signal,
  );
  const proven = clearlyBest([{ turn, recognition: turned }], scoreToBeat(asItLies.score, asItLies, suspicion));
  return proven && { ...turned, turnedBy: turn };
}

async function tryTurn(
  recogniser: Recogniser,
  { task, sample, turn }: { task: RecognitionTask; sample: Sample; turn: Turn },
  signal: AbortSignal,
): Promise<Trial> {
  const bytes = await sample.turned(turn);
  const dpi = sample.whole ? task.dpi : ESTIMATE_DPI;
  const part: RecognitionTask = { ...task, picture: { bytes }, psm: sample.psm ?? task.psm, dpi };
  return { turn, recognition: await recogniser.recognise(part, signal) };
}

/** Whether a picture shows nothing that could be read. */
export async function isFlat(bytes: Buffer): Promise<boolean> {
  const { channels } = await sharp(bytes).greyscale().stats();
  return channels.every(({ stdev }) => stdev < FLAT);
}
