import { createInterface } from 'node:readline/promises';
import type { OcrRouter } from '@ocr-router/client';
import { Command, InvalidArgumentError } from 'commander';
import { amount, whole } from '../option-values.ts';
import { makeFolder } from '../paths/make-folder.ts';
import { describeLink, requirePaths } from './find-documents.ts';
import { openGateway, withGateway } from './gateway.ts';
import { FORMATS, type Format } from './outputs.ts';
import { count, describePlan, pagesOf, usd, worstOf } from './plan.ts';
import { Progress } from './progress.ts';
import { isInPart, type ReadBefore } from './read-document.ts';
import type { Options } from './read-options.ts';
import { type RunEnd, runThrough } from './run-through.ts';
import { findWork, openJournal, type Work } from './work.ts';

/** Exit codes of a run. */
const EXIT = { all: 0, some: 1, none: 2, budget: 3, interrupted: 130 } as const;
const MOST_PAGES = 100_000;

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
  const journal = await openJournal(paths, options);
  const work = await findWork(client, journal, paths, options);
  const { documents, refused, links } = work;
  const progress = new Progress(pagesOf(documents), process.stderr);
  tellWork(work, progress);
  if (options.maxCost !== undefined && worstOf(documents) === null) {
    throw new Error(`engine "${options.engine}" has no known worst cost, so --max-cost cannot be kept.`);
  }
  if (options.dryRun) {
    if (options.json) print({ documents, refused, links, ...readBefore(work) });
    return EXIT.all;
  }
  if (documents.length > 0 && !(await isAgreed(options))) return EXIT.none;
  if (options.out !== undefined) await makeFolder(options.out);
  const end = await runThrough(client, journal, documents, { options, progress });
  const report = reportOf(work, end);
  const { outcomes, overBudget, fault } = end;
  if (!fault || outcomes.length > 0) progress.say(describeReport(report));
  if (overBudget > 0) progress.say(`${overBudget} were not begun: --max-cost.`);
  if (options.json) print({ ...report, outcomes, ...(fault && { error: fault.message }) });
  if (fault) throw fault;
  return end.isInterrupted ? EXIT.interrupted : exitOf(report);
}

/** Says what will be read, and what will not. */
function tellWork(work: Work, progress: Progress): void {
  for (const link of work.links) progress.say(describeLink(link));
  for (const { file, why } of work.refused) progress.say(`${file}: ${why}`);
  if (work.done > 0) progress.say(`${count(work.done, 'file')} read before, not sent again.`);
  for (const file of work.inPart) progress.say(`${file}: was read in part before, and is not sent again.`);
  progress.say(describePlan(work));
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
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

type Report = ReturnType<typeof reportOf>;

function reportOf(work: Work, { outcomes, before, overBudget }: RunEnd) {
  const read = outcomes.filter(({ ok }) => ok).length;
  const cost_usd = outcomes.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return {
    ...{ read, partial: outcomes.filter(isInPart).length, failed: outcomes.length - read },
    cost_usd: Number(cost_usd.toFixed(9)),
    ...readBefore(work, before),
    ...{ refused: work.refused.length + work.clashes, over_budget: overBudget },
  };
}

/** What earlier runs have read, by the journal, and by what turned out as this one ran. */
function readBefore({ done, inPart }: Work, before: readonly ReadBefore[] = []) {
  return {
    already_done: done + inPart.length + before.length,
    already_partial: inPart.length + before.filter((end) => end.before === 'partial').length,
  };
}

function describeReport({ read, partial, failed, refused, cost_usd }: Report): string {
  const inPart = partial > 0 ? ` (${partial} of them in part)` : '';
  return `${read} read${inPart}, ${failed + refused} failed, ${usd(cost_usd)} USD.`;
}

function exitOf(report: Report): number {
  if (report.over_budget > 0) return EXIT.budget;
  if (report.failed + report.refused + report.partial + report.already_partial === 0) return EXIT.all;
  return report.read + report.already_done > 0 ? EXIT.some : EXIT.none;
}

function formats(text: string): Format[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FORMATS.includes(name as Format));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${FORMATS.join(', ')}.`);
  return names as Format[];
}
