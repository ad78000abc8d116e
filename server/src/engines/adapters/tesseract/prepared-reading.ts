import type { PreprocessingStep } from '../../../documents/formats/document.ts';
import { deskew } from '../../../documents/preprocessing/deskew.ts';
import { AUTOMATIC, type PageRecognition, readPage } from './read-page.ts';
import type { Recogniser, RecognitionTask } from './recogniser.ts';

export interface PreparedReading extends PageRecognition {
  /** What was done to the page so that it reads better. */
  readonly steps: readonly PreprocessingStep[];
}

/** Reads a page whose lines were made straight, and which was turned where it lies on its side or upside down. */
export async function readPrepared(
  recogniser: Recogniser,
  task: RecognitionTask,
  { preprocess, signal }: { preprocess: boolean; signal: AbortSignal },
): Promise<PreparedReading> {
  // In every other mode the caller has said how the text lies.
  if (!preprocess || task.psm !== AUTOMATIC) {
    return { ...(await recogniser.recognise(task, signal)), turnedBy: 0, steps: [] };
  }
  // Of a picture that cannot be opened the recogniser says so.
  const straight = await deskew(task.picture.bytes).catch(() => null);
  const page = await readPage(recogniser, straight ? { ...task, picture: { bytes: straight.bytes } } : task, signal);
  return {
    ...page,
    steps: [...(straight ? ['deskewed' as const] : []), ...(page.turnedBy ? ['turned' as const] : [])],
  };
}
