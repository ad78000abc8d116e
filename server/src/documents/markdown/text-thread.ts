import { lowerThreadPriority } from '../../platform/low-priority.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { TEXT_WORK, type TextResults, type TextTask } from './text-work.ts';

lowerThreadPriority();

/** The entry of a thread that looks through long texts: one at a time. */
export default function run({ kind, text }: TextTask): TextResults[keyof TextResults] {
  return atOnce<TextResults[keyof TextResults]>(TEXT_WORK[kind](text));
}
