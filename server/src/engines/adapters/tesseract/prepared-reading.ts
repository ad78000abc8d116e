import type { PreprocessingStep } from '../../../documents/formats/document.ts';
import { deskew } from '../../../documents/preprocessing/deskew.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Clean, isUnsure, type Look, lookAgain } from './look-again.ts';
import { AUTOMATIC, type DocumentTurns, isFlat, type PageRecognition, readPage } from './read-page.ts';
import { type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import { turnPicture } from './sample.ts';

export interface PreparedReading extends PageRecognition {
  /** What was done to the page so that it reads better. */
  readonly steps: readonly PreprocessingStep[];
}

export interface Preparation {
  /** False: the page is read once, as it is. */
  readonly preprocess: boolean;
  readonly clean: Clean;
  /** How long a page that was read badly is looked at again. */
  readonly lookMs: number;
  readonly turns: DocumentTurns;
}

/**
 * Reads a page with its lines made straight, turned where it lies on its side or upside down, and once more where it
 * was read badly. A page that reads well costs one reading.
 */
export async function readPrepared(
  recogniser: Recogniser,
  task: RecognitionTask,
  { preprocess, clean, lookMs, turns }: Preparation,
  signal: AbortSignal,
): Promise<PreparedReading> {
  // In every other mode the caller has said how the text lies.
  if (!preprocess || task.psm !== AUTOMATIC) {
    return { ...(await recogniser.recognise(task, signal)), turnedBy: 0, steps: [] };
  }
  // Of a picture that cannot be opened the recogniser says so.
  const straight = await deskew(task.picture.bytes).catch(() => null);
  const straightTask = straight ? { ...task, picture: { bytes: straight.bytes } } : task;
  const page = await readPage(recogniser, straightTask, { turns, lookMs }, signal);
  const { turnedBy } = page;
  const steps: PreprocessingStep[] = [
    ...(straight ? ['deskewed' as const] : []),
    ...(turnedBy ? ['turned' as const] : []),
  ];
  const { bytes } = straightTask.picture;
  if (!isUnsure(page) || (page.letters === 0 && (await isFlat(bytes)))) return { ...page, steps };
  const upright = turnedBy ? { ...task, picture: { bytes: await turnPicture(bytes, turnedBy) } } : straightTask;
  const first: Look = { task: upright, recognition: page, steps };
  const best = await boundedLooks(recogniser, first, { clean, lookMs, signal });
  return { ...best.recognition, unknownVariables: page.unknownVariables, turnedBy, steps: best.steps };
}

/** A look that fails, or takes too long, takes nothing from what was read before. */
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
