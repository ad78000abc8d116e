import { plainText } from '../../server/src/documents/markdown/plain-text.ts';
import { characterErrorRate, normaliseText } from '../error-rate.ts';
import type { Contender } from './contenders.ts';
import { processorSeconds } from './processor-time.ts';
import type { SuiteDocument } from './suite-documents.ts';

/** What one contender made of one document. */
interface Measurement {
  readonly contender: string;
  readonly document: string;
  readonly kinds: readonly string[];
  /** 1 where it was not read. */
  readonly cer: number;
  /** The share of the truth's words that were read, wherever they stand. */
  readonly recall: number;
  readonly processorSeconds: number | null;
  readonly costUsd: number | null;
  readonly failure: string | null;
}

/** A difference that matters. */
const BETTER = 0.01;

/** Reads each document with each contender, one after the other, and says so as it goes. */
export async function measureSuite(
  documents: readonly SuiteDocument[],
  contenders: readonly Contender[],
  onLine: (line: string) => void = () => undefined,
): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const document of documents) {
    for (const contender of contenders) {
      const one = await measure(document, contender);
      if (!one) continue;
      measured.push(one);
      onLine(`${one.document}: ${one.contender} ${one.cer.toFixed(3)} ${one.failure ?? ''}`.trimEnd());
    }
  }
  return measured;
}

async function measure(document: SuiteDocument, contender: Contender): Promise<Measurement | null> {
  const about = { contender: contender.name, document: document.name, kinds: document.kinds };
  const before = processorSeconds();
  const used = () => {
    const after = processorSeconds();
    return before === null || after === null ? null : Math.max(0, after - before);
  };
  try {
    const read = await contender.read(document);
    if (!read) return null;
    const seconds = used();
    const [truth, text] = [plainText(document.text), plainText(read.text)];
    const rates = { cer: characterErrorRate(truth, text), recall: wordRecall(truth, text) };
    return { ...about, ...rates, processorSeconds: seconds, costUsd: read.costUsd, failure: null };
  } catch (error) {
    const failure = (error as Error).message.split('\n')[0] ?? ''; // what is thrown in there is an Error
    return { ...about, cer: 1, recall: 0, processorSeconds: used(), costUsd: 0, failure };
  }
}

export function wordRecall(truth: string, read: string): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(read)) left.set(word, (left.get(word) ?? 0) + 1);
  const wanted = wordsOf(truth);
  let found = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    found++;
  }
  return wanted.length === 0 ? 1 : found / wanted.length;
}

function wordsOf(text: string): string[] {
  return normaliseText(text).split(' ').filter(Boolean);
}

/** Tables in Markdown: each document, the means of each kind, and who is better by more than 0.01. */
export function showSuite(measured: readonly Measurement[]): string {
  const names = [...new Set(measured.map(({ contender }) => contender))];
  const documents = [...new Set(measured.map(({ document }) => document))];
  const kinds = [...new Set(measured.flatMap((one) => one.kinds))].sort();
  const of = (name: string, some: readonly Measurement[]) => some.filter(({ contender }) => contender === name);
  const row = (label: string, some: readonly Measurement[]) =>
    `| ${label} | ${names.map((name) => cell(of(name, some))).join(' | ')} |`;
  const head = (label: string) => [`| ${label} | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`];
  return [
    'Character error rate / word recall / seconds of the processor / USD.',
    '',
    ...head('Document'),
    ...documents.map((document) =>
      row(
        document,
        measured.filter((one) => one.document === document),
      ),
    ),
    '',
    ...head('Kind (means)'),
    ...kinds.map((kind) =>
      row(
        kind,
        measured.filter((one) => one.kinds.includes(kind)),
      ),
    ),
    row('**all**', measured),
    '',
    ...names.slice(1).map((name) => compared(of(names[0] ?? '', measured), of(name, measured))),
  ].join('\n');
}

function cell(some: readonly Measurement[]): string {
  if (some.length === 0) return '';
  /** Of what is known; a dash where nothing is. */
  const mean = (digits: number, value: (one: Measurement) => number | null) => {
    const known = some.map(value).filter((one) => one !== null);
    return known.length === 0 ? '–' : (known.reduce((sum, one) => sum + one, 0) / known.length).toFixed(digits);
  };
  const rates = [mean(3, (one) => one.cer), mean(3, (one) => one.recall)];
  return [...rates, mean(2, (one) => one.processorSeconds), mean(4, (one) => one.costUsd)].join(' / ');
}

function compared(ours: readonly Measurement[], theirs: readonly Measurement[]): string {
  const pairs = theirs.flatMap((their) => {
    const our = ours.find(({ document }) => document === their.document);
    return our ? [{ document: our.document, gain: their.cer - our.cer }] : [];
  });
  const better = pairs.filter(({ gain }) => gain > BETTER).map(({ document }) => document);
  const worse = pairs.filter(({ gain }) => gain < -BETTER).map(({ document }) => document);
  const list = (some: string[]) => `${some.length}${some.length > 0 ? ` (${some.join(', ')})` : ''}`;
  const [our, their] = [ours[0]?.contender, theirs[0]?.contender];
  return `- ${our} against ${their}, ${pairs.length} documents: better on ${list(better)}, worse on ${list(worse)}.`;
}
