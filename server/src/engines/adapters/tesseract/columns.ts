import { isSideways, suspectOrientation } from './orientation.ts';
import { type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import type { Line, Recognition } from './recognition.ts';

/** Languages that have data of their own for text in columns. */
const IN_COLUMNS = ['jpn', 'chi_sim', 'chi_tra', 'kor'];
/** Modes for columns: one block of them, and whatever the page has. Neither reads all pages best. */
const MODES = [5, 3];

/** The data for columns that a page with these lines needs. */
export function wantedForColumns(languages: readonly string[], lines: readonly Line[]): string[] {
  if (!isSideways(lines)) return [];
  return languages.filter((code) => IN_COLUMNS.includes(code)).map((code) => `${code}_vert`);
}

/**
 * Reads the page as columns; null where its lines are none, there is no data for them, or it does not read better so. The data of
 * some makers loads what it needs for columns by itself, that of npm does not.
 */
export async function readColumns(
  recogniser: Recogniser,
  task: RecognitionTask,
  { asItLies, signal }: { asItLies: Recognition; signal: AbortSignal },
): Promise<Recognition | null> {
  const wanted = wantedForColumns(task.languages, asItLies.lines);
  if (wanted.length === 0 || !wanted.every((code) => recogniser.knows(code))) return null;
  const languages = task.languages.map((code) => (wanted.includes(`${code}_vert`) ? `${code}_vert` : code));
  let best: Recognition | null = null;
  for (const psm of MODES) {
    const recognition = await unlessFails(recogniser.recognise({ ...task, languages, psm }, signal));
    if (recognition && recognition.score > (best?.score ?? asItLies.score)) best = recognition;
  }
  // The lines of columns look sideways, so only the letters tell whether they were read.
  return best && suspectOrientation({ ...best, lines: [] }).turns.length === 0 ? best : null;
}

async function unlessFails(reading: Promise<Recognition>): Promise<Recognition | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof RecognitionError) return null;
    throw error;
  });
}
