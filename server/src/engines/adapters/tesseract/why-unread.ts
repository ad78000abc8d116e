import { edgeSteepness } from '../../../documents/preprocessing/edges.ts';
import { greyPicture } from '../../../documents/preprocessing/grey-picture.ts';
import { languagesOfScript } from '../../language/scripts.ts';
import { wantedForColumns } from './columns.ts';
import {
  areClear,
  isClearLine,
  isForeignLine,
  missingData,
  OTHER_LETTERS,
  sureOfLine,
  UNREAD,
  UNREAD_IF_NAMED,
  unknownLetters,
  whatToInstall,
} from './languages/languages.ts';
import type { PreparedReading } from './prepared-reading.ts';
import { type DetectedScript, type Recogniser, RecognitionError, type RecognitionTask } from './recogniser.ts';
import { repeatLines } from './repeat-lines.ts';
import { rowOf, WORD } from './table/table-row.ts';

/** Longest side of the picture whose edges are looked at; a page of 300 dpi is within it. */
const LONGEST_SIDE = 4000;

/**
 * The reason why a page that was read badly cannot be read for want of data, with what to do; null where that is not the reason.
 * Foreign letters come out as other ones, with little confidence: such a text is of no use to anybody.
 */
export async function whyUnread(
  recogniser: Recogniser,
  { page, task, wish }: { page: PreparedReading; task: RecognitionTask; wish: string | readonly string[] },
  signal: AbortSignal,
): Promise<string | null> {
  const { confidence } = page;
  const knows = (code: string) => recogniser.knows(code);
  const unknown = unknownLetters({ wish, languages: task.languages, knows });
  if (confidence === null || confidence >= (unknown?.isAlone ? UNREAD_IF_NAMED : UNREAD)) return null;
  const columns = wantedForColumns(task.languages, page.lines).find((code) => !knows(code));
  if (columns) return whatToInstall('text in columns in its language', columns);
  const script = await unlessFails(() => recogniser.detectScript(task.picture, signal));
  const missing = missingData({ unknown: unknown?.code ?? null, script, confidence, knows });
  if (missing || unknown || page.steps.includes('enlarged')) return missing;
  const steepness = edgeSteepness(await greyPicture(task.picture.bytes, LONGEST_SIDE));
  const letters = { ...page, edgeSteepness: steepness };
  if (isClearLine(letters)) return whyLineUnread(recogniser, { page, task, script }, signal);
  if (!areClear(letters)) return null;
  return (await readsOtherwise(recogniser, { task, script }, signal)) ? null : OTHER_LETTERS;
}

/** The reason for a page of a line or two: detection gives up on so few letters, and is shown them several times. */
async function whyLineUnread(
  recogniser: Recogniser,
  { page, task, script }: { page: PreparedReading; task: RecognitionTask; script: DetectedScript | null },
  signal: AbortSignal,
): Promise<string | null> {
  const { text, letters, confidence, steps } = page;
  if (confidence === null) return null;
  // A page that was made straight or turned has its lines elsewhere.
  const isInPlace = steps.every((step) => step === 'second_look');
  const bytes = isInPlace ? await repeatLines(task.picture.bytes, page) : null;
  const seen = bytes && (await unlessFails(() => recogniser.detectScript({ bytes }, signal)));
  const knows = (code: string) => recogniser.knows(code);
  const missing = missingData({ unknown: null, script: sureOfLine(seen), confidence, knows });
  if (missing || !isForeignLine({ text, letters, confidence, surestWord: surestWord(page) }, seen)) return missing;
  return (await readsOtherwise(recogniser, { task, script: seen ?? script }, signal)) ? null : OTHER_LETTERS;
}

function surestWord({ rows }: PreparedReading): number {
  const words = rows.map(rowOf).filter(({ level, letters }) => level === WORD && letters >= 3);
  return Math.max(0, ...words.map(({ confidence }) => confidence));
}

/** Whether there is data for the script that reads the page: then it only has to be asked for. */
async function readsOtherwise(
  recogniser: Recogniser,
  { task, script }: { task: RecognitionTask; script: DetectedScript | null },
  signal: AbortSignal,
): Promise<boolean> {
  const code = languagesOfScript(script?.name ?? '').find((one) => recogniser.knows(one));
  if (!code || task.languages.includes(code)) return false;
  const recognition = await unlessFails(() => recogniser.recognise({ ...task, languages: [code] }, signal));
  return (recognition?.confidence ?? 0) >= UNREAD;
}

/** Looks; null where that fails, so that what was read before stays as it is. */
async function unlessFails<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RecognitionError) return null;
    throw error;
  }
}
