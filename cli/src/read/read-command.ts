import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { OcrRouter, ReadOptions } from '@ocr-router/client';
import { Command, InvalidArgumentError } from 'commander';
import { amount, whole } from '../option-values.ts';
import { makeFolder } from '../paths/make-folder.ts';
import { wholePath } from '../paths/own-arguments.ts';
import { say } from '../say.ts';
import { Budget } from './budget.ts';
import { describeLink, findDocuments, isFolder, requirePaths } from './find-documents.ts';
import { type GatewayOptions, openGateway, withGateway } from './gateway.ts';
import { Interruption } from './interruption.ts';
import { Journal } from './journal.ts';
import { isFree, leftToRead } from './left-to-read.ts';
import { FORMATS, type Format, includeFor, OutputOwners, Outputs, outputPaths } from './outputs.ts';
import { count, describePlan, makePlan, type Planned, refuseTooLong, usd, worstOf } from './plan.ts';
import { Progress } from './progress.ts';
import { isInPart, type Outcome, type ReadBefore, readDocument } from './read-document.ts';
import { sideBySide } from './side-by-side.ts';

interface Options extends GatewayOptions {
  readonly engine: string;
  readonly fallbackEngine?: string;
  readonly language?: string;
  readonly format: Format[];
  readonly pdf: boolean;
  readonly out?: string;
  readonly recursive: boolean;
  readonly concurrency: number;
  readonly maxCost?: number;
  readonly maxPages: number;
  readonly resume: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Exit codes of a run. */
const EXIT = { all: 0, some: 1, none: 2, budget: 3, interrupted: 130 } as const;
const JOURNAL = '.ocr-router.jsonl';
const MOST_PAGES = 100_000;
const CANCEL_MS = 15_000;

export function readCommand(): Command {
  return withGateway(new Command('read'))
    .description('reads documents; the texts are put beside them')
    .argument('<path...>', 'files and folders')
    .option('--engine <id>', 'the engine', 'tesseract')
    .option('--fallback-engine <id>', 'for scanned pages, where the engine reads text layers')
    .option('--language <code>', 'the language of the documents')
    .option('--format <list>', `any of ${FORMATS.join(', ')}`, formats, ['txt'])
    .option('--pdf', 'a searchable PDF as well: as if pdf stood among the formats', false)
    .option('--out <folder>', 'puts the outputs there, not beside the documents')
    .option('--recursive', 'folders in folders, too', false)
    .option('--concurrency <n>', 'documents at once', whole(1, 64), 4)
    .option('--max-cost <usd>', 'begins nothing that might take the run beyond it', amount)
    .option('--max-pages <n>', 'pages of one document', whole(1, MOST_PAGES), MOST_PAGES)
    .option('--resume', 'goes on with a run that was ended', false)
    .option('--force', 'writes over files that are there', false)
    .option('--dry-run', 'says what it would do, and does nothing', false)
    .option('--yes', 'does not ask', false)
    .option('--json', 'prints one JSON object at the end', false)
    .action(async (paths: string[], options: Options) => {
      await requirePaths(paths);
      await using gateway = await openGateway(options);
      process.exitCode = await read(gateway.client, paths, options);
    });
}

async function read(client: OcrRouter, paths: readonly string[], options: Options): Promise<number> {
  const wish = wishOf(options);
  const journal = await openJournal(paths, options);
  const { files, links, clashes } = await filesToRead(paths, journal, options);
  const found = await makePlan(client, files, {
    options: wish,
    atOnce: options.concurrency,
    maxPages: options.maxPages,
  });
  const { todo: left, done, inPart } = await notDone(found.documents, journal, wish, options);
  const command = (most: number) => `--max-pages ${most}`;
  const plan = await refuseTooLong(client, { ...found, documents: left }, { engine: options.engine, command });
  const todo = plan.documents;
  const pages = todo.reduce((sum, document) => sum + document.pages, 0);
  const progress = new Progress(pages, process.stderr);
  for (const link of links) progress.say(describeLink(link));
  for (const { file, why } of plan.refused) progress.say(`${file}: ${why}`);
  if (done > 0) progress.say(`${count(done, 'file')} read before, not sent again.`);
  for (const file of inPart) progress.say(`${file}: was read in part before, and is not sent again.`);
  progress.say(describePlan(plan));
  if (options.maxCost !== undefined && worstOf(todo) === null) {
    throw new Error(`engine "${options.engine}" has no known worst cost, so --max-cost cannot be kept.`);
  }
  if (options.dryRun) {
    const already = { already_done: done + inPart.length, already_partial: inPart.length };
    if (options.json) print({ documents: todo, refused: plan.refused, links, ...already });
    return EXIT.all;
  }
  if (todo.length > 0 && !(await isAgreed(options))) return EXIT.none;
  if (options.out !== undefined) await makeFolder(options.out);
  const outcomes: Outcome[] = [];
  const before: ReadBefore[] = [];
  const budget = new Budget(options.maxCost ?? null);
  let overBudget = 0;
  using interruption = new Interruption(() => progress.say('Ends after what runs; once more ends that, too.'));
  const running = new Set<string>();
  const job = {
    client,
    journal,
    outputs: new Outputs(client),
    options: wish,
    isBounded: options.maxCost !== undefined,
    running,
    signal: interruption.signal,
  };
  const readOne = async (document: Planned) => {
    if (!budget.take(document.worstUsd)) {
      overBudget += 1;
      return;
    }
    const end = await readDocument(job, document, pathsOf(document.file, options));
    budget.spent(document.worstUsd, 'before' in end ? 0 : end.costUsd);
    if ('before' in end) before.push(end);
    else outcomes.push(end);
    progress.tell(end);
  };
  const onFault = async (error: Error) => {
    if (!interruption.signal.aborted) return error;
    await cancelAll(client, running);
    return null;
  };
  const isOver = () => interruption.isAsked;
  const fault = await sideBySide(todo, options.concurrency, readOne, isOver).then(() => null, onFault);
  const refused = plan.refused.length + clashes;
  const report = {
    ...summary(outcomes),
    already_done: done + inPart.length + before.length,
    already_partial: inPart.length + before.filter((end) => end.before === 'partial').length,
    ...{ refused, over_budget: overBudget },
  };
  if (!fault || outcomes.length > 0) progress.say(describeEnd(report));
  if (overBudget > 0) progress.say(`${overBudget} were not begun: --max-cost.`);
  if (options.json) print({ ...report, outcomes, ...(fault && { error: fault.message }) });
  if (fault) throw fault;
  if (interruption.isAsked) return EXIT.interrupted;
  if (overBudget > 0) return EXIT.budget;
  if (report.failed + report.refused + report.partial + report.already_partial === 0) return EXIT.all;
  return report.read + report.already_done > 0 ? EXIT.some : EXIT.none;
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Cancels requests; what was read of them by then is charged. One that cannot be cancelled now ends by itself. */
async function cancelAll(client: OcrRouter, running: ReadonlySet<string>): Promise<void> {
  await Promise.allSettled([...running].map((id) => client.cancel(id, AbortSignal.timeout(CANCEL_MS))));
}

function wishOf({ engine, fallbackEngine, language, ...options }: Options): ReadOptions {
  const include = includeFor(formatsOf(options));
  return {
    engine,
    ...(fallbackEngine && { fallback_engine: fallbackEngine }),
    ...(language && { settings: { language } }),
    ...(include.length > 0 && { include }),
  };
}

function formatsOf({ format, pdf }: Pick<Options, 'format' | 'pdf'>): Format[] {
  return pdf ? [...new Set([...format, 'pdf' as const])] : format;
}

/** Opens the journal beside the outputs: in the folder for them, or in that of the first path. */
async function openJournal(paths: readonly string[], { out }: Options): Promise<Journal> {
  const [first = '.'] = paths;
  return Journal.open(join(out ?? ((await isFolder(first)) ? first : dirname(first)), JOURNAL));
}

/**
 * The files to read. A file whose outputs would replace ones that this program has not written is left out, and so is one whose
 * outputs another file of the run has.
 */
async function filesToRead(paths: readonly string[], journal: Journal, options: Options) {
  const found = await findDocuments(paths, options.recursive);
  const owners = new OutputOwners();
  const files: string[] = [];
  let clashes = 0;
  for (const file of found.files) {
    const outputs = pathsOf(file, options);
    const mayBeDone = options.resume && journal.hasRead(file);
    if (!options.force && !mayBeDone && !isFree(file, outputs, journal)) continue;
    const owner = owners.take(file, outputs);
    if (owner === null) files.push(file);
    else if (wholePath(owner) !== wholePath(file)) {
      say(`${file}: its outputs would be those of ${owner}; rename one, or read them apart.`);
      clashes += 1;
    }
  }
  return { files, links: found.links, clashes };
}

/** The documents that are left for this run. Existing outputs do not keep out a document that an earlier run has read. */
async function notDone(documents: readonly Planned[], journal: Journal, wish: ReadOptions, options: Options) {
  if (!options.resume) return { todo: documents, done: 0, inPart: [] };
  const { todo, ...before } = await leftToRead(documents, journal, wish);
  if (options.force) return { todo, ...before };
  return { todo: todo.filter(({ file }) => isFree(file, pathsOf(file, options), journal)), ...before };
}

function pathsOf(file: string, options: Options) {
  return outputPaths(file, formatsOf(options), options.out ?? null);
}

async function isAgreed({ yes, local }: Options): Promise<boolean> {
  if (yes || local || !process.stdin.isTTY) return yes || local === true || refuseUnasked();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Go on? [y/N] ').finally(() => terminal.close());
  return /^y(es)?$/i.test(answer.trim());
}

function refuseUnasked(): never {
  throw new Error('nobody can be asked whether to go on: say --yes.');
}

function summary(outcomes: readonly Outcome[]) {
  const read = outcomes.filter(({ ok }) => ok).length;
  const cost_usd = outcomes.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return {
    ...{ read, partial: outcomes.filter(isInPart).length, failed: outcomes.length - read },
    cost_usd: Number(cost_usd.toFixed(9)),
  };
}

function describeEnd({ read, partial, failed, refused, cost_usd }: ReturnType<typeof summary> & { refused: number }) {
  const inPart = partial > 0 ? ` (${partial} of them in part)` : '';
  return `${read} read${inPart}, ${failed + refused} failed, ${usd(cost_usd)} USD.`;
}

function formats(text: string): Format[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FORMATS.includes(name as Format));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${FORMATS.join(', ')}.`);
  return names as Format[];
}
