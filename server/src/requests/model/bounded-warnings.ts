/** Sentences in one answer: they are stored, shown in lists and sent to webhooks. */
const MOST = 80;
const LONGEST = 300;

/** The warnings of a request, whatever its document and its settings brought about: few enough, none of them long. */
export function boundedWarnings(warnings: readonly string[]): string[] {
  const left = warnings.length - MOST;
  const shown = left > 0 ? [...warnings.slice(0, MOST - 1), `${left + 1} more warnings were left out.`] : warnings;
  return shown.map(shortened);
}

function shortened(sentence: string): string {
  return sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1).toWellFormed()}…` : sentence;
}
