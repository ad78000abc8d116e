import sharp from 'sharp';
import { clearlyBest, type Suspicion, scoreToBeat, suspectOrientation, type Trial, type Turn } from './orientation.ts';
import { ESTIMATE_DPI, type Job, type Recogniser, RecognitionError } from './recogniser.ts';
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
export async function readPage(recogniser: Recogniser, job: Job, signal: AbortSignal): Promise<PageRecognition> {
  const asItLies = { ...(await recogniser.recognise(job, signal)), turnedBy: 0 as const };
  if (job.psm !== AUTOMATIC) return asItLies;
  const suspicion = suspectOrientation(asItLies);
  if (suspicion.turns.length === 0 || (asItLies.letters === 0 && (await isFlat(job.picture.bytes)))) return asItLies;
  try {
    return (await readTurned(recogniser, { job, asItLies, suspicion }, signal)) ?? asItLies;
  } catch (error) {
    if (error instanceof RecognitionError) return asItLies; // a second look that fails takes nothing from the first
    throw error;
  }
}

interface Doubt {
  readonly job: Job;
  readonly asItLies: Recognition;
  readonly suspicion: Suspicion;
}

/** The reading in the orientation that is clearly better; null where none is. */
async function readTurned(recogniser: Recogniser, doubt: Doubt, signal: AbortSignal): Promise<PageRecognition | null> {
  const { job, asItLies, suspicion } = doubt;
  const sample = await takeSample(job.picture.bytes, asItLies);
  const trials = await Promise.all(suspicion.turns.map((turn) => tryTurn(recogniser, { job, sample, turn }, signal)));
  const best = clearlyBest(trials, scoreToBeat(sample.score, asItLies, suspicion));
  if (!best) return null;
  const { turn } = best;
  if (sample.whole) return { ...best.recognition, turnedBy: turn };
  const turned = await recogniser.recognise(
    { ...job, picture: { bytes: await turnPicture(job.picture.bytes, turn) } },
    signal,
  );
  const proven = clearlyBest([{ turn, recognition: turned }], scoreToBeat(asItLies.score, asItLies, suspicion));
  return proven && { ...turned, turnedBy: turn };
}

async function tryTurn(
  recogniser: Recogniser,
  { job, sample, turn }: { job: Job; sample: Sample; turn: Turn },
  signal: AbortSignal,
): Promise<Trial> {
  const bytes = await sample.turned(turn);
  const dpi = sample.whole ? job.dpi : ESTIMATE_DPI;
  const part: Job = { ...job, picture: { bytes }, psm: sample.psm ?? job.psm, dpi };
  return { turn, recognition: await recogniser.recognise(part, signal) };
}

async function isFlat(bytes: Buffer): Promise<boolean> {
  const { channels } = await sharp(bytes).greyscale().stats();
  return channels.every(({ stdev }) => stdev < FLAT);
}
