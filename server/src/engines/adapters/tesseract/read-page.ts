import sharp from 'sharp';
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

/**
 * Reads a page, as it lies first. Only where that reading is poor are others tried, on a sample, and only the
 * orientation that wins there is read in full: a well-read page costs one reading, a turned one two and a bit.
 */
export async function readPage(
  recogniser: Recogniser,
  task: RecognitionTask,
  signal: AbortSignal,
): Promise<PageRecognition> {
  const asItLies = { ...(await recogniser.recognise(task, signal)), turnedBy: 0 as const };
  const suspicion = suspectOrientation(asItLies);
  if (suspicion.turns.length === 0 || (asItLies.letters === 0 && (await isFlat(task.picture.bytes)))) return asItLies;
  try {
    return (await readTurned(recogniser, { task, asItLies, suspicion }, signal)) ?? asItLies;
  } catch (error) {
    if (error instanceof RecognitionError) return asItLies; // a second look that fails takes nothing from the first
    throw error;
  }
}

interface Doubt {
  readonly task: RecognitionTask;
  readonly asItLies: Recognition;
  readonly suspicion: Suspicion;
}

/** The reading in the orientation that is clearly better; null where none is. */
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
