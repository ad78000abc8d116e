import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../test/house/free-ports.ts';
import { until } from '../test/house/until.ts';
import { startChild } from './child.ts';
import { compare, median, type Pair, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { ORDER, type Turn } from './processes/traces-by-turns.ts';
import { MILLISECONDS, REQUESTS_PER_SECOND, SMALL } from './sending.ts';
import { show } from './show.ts';
import { openStage, type Stage } from './stage.ts';

const WARM_UP_ANSWERS = 10_000;
/** How long each process is measured, in seconds for each second of a load elsewhere. */
const TIMES = 10;
const WARM_UP_SECONDS = 5;
/** Of the load, before it is measured and afterwards. */
const MARGIN_SECONDS = 1;

interface Figures {
  readonly perSecond: number;
  readonly cpuMsEach: number;
}

/**
 * What it costs to trace every call. Two processes differ by more than the spans cost, by what their compilers and heaps have
 * become: so one process traces by turns, which are too short for the machine's moods. A round is a process.
 */
export async function benchTraces({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  const [port = 0] = await freePorts(1);
  await using _collector = await startChild('bench/processes/collector.ts', String(port));
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-turns-'));
  try {
    const order = { seconds: seconds * TIMES, to: join(folder, 'turns.json') };
    const processes: Pair<Figures>[][] = [];
    for (let round = 0; round < rounds; round++) {
      processes.push(blocksOf(await turnsOfProcess(`http://127.0.0.1:${port}`, order)));
    }
    const cpu = { what: '16 clients, processor a request', ...MILLISECONDS, bar: 1.05 };
    const rows = [
      rowOf({ what: '16 clients', ...REQUESTS_PER_SECOND, bar: 0.95 }, processes, (figures) => figures.perSecond),
      rowOf(cpu, processes, (figures) => figures.cpuMsEach),
    ];
    show(
      'POST /v1/ocr, 15 kB, instant engine, every call traced; anchor: the same process, by turns, with traces off',
      rows,
    );
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function turnsOfProcess(collector: string, { seconds, to }: { seconds: number; to: string }): Promise<Turn[]> {
  const byTurns = new URL(`processes/traces-by-turns.ts?${new URLSearchParams({ collector, to })}`, import.meta.url)
    .href;
  await using stage = await openStage({ env: { NODE_OPTIONS: `--conditions=unbundled --import=${byTurns}` } });
  const order = { clients: 16, paths: ['/v1/ocr'], bodyFile: await writeNoiseBody(stage.folder, SMALL) };
  const load = (seconds: number) => stage.load(stage.product, { ...order, seconds });
  process.kill(stage.product.pid, 'SIGUSR2');
  for (let answers = 0; answers < WARM_UP_ANSWERS; ) answers += (await load(WARM_UP_SECONDS)).answers;
  const [turns] = await Promise.all([turnsOf(stage, { seconds, to }), load(seconds + 2 * MARGIN_SECONDS)]);
  return turns;
}

/** What is measured while the load is under way. */
async function turnsOf({ product }: Stage, { seconds, to }: { seconds: number; to: string }): Promise<Turn[]> {
  await sleep(MARGIN_SECONDS * 1000);
  process.kill(product.pid, 'SIGUSR2');
  await until('the turns of the warm-up are written', () => existsSync(to));
  rmSync(to);
  await sleep(seconds * 1000);
  process.kill(product.pid, 'SIGUSR2');
  await until('the turns are written', () => existsSync(to) && readFileSync(to, 'utf8').endsWith(']'));
  const turns = JSON.parse(readFileSync(to, 'utf8')) as Turn[]; // as our own program writes them
  rmSync(to);
  return turns;
}

/** Both ways in each, in an order that cancels what goes up or down. */
function blocksOf(turns: readonly Turn[]): Pair<Figures>[] {
  const blocks: Pair<Figures>[] = [];
  for (let at = 0; at + ORDER.length <= turns.length; at += ORDER.length) {
    const block = turns.slice(at, at + ORDER.length);
    blocks.push({ ours: figuresOf(block, true), anchor: figuresOf(block, false) });
  }
  return blocks;
}

function figuresOf(turns: readonly Turn[], isTraced: boolean): Figures {
  const these = turns.filter((turn) => turn.isTraced === isTraced);
  const sum = (pick: (turn: Turn) => number) => these.reduce((total, turn) => total + pick(turn), 0);
  const answers = sum((turn) => turn.answers);
  return { perSecond: (answers / sum((turn) => turn.ms)) * 1000, cpuMsEach: sum((turn) => turn.cpuMs) / answers };
}

/** Of each process the median ratio of its blocks: a collection of all garbage falls into few of them. */
function rowOf(
  subject: Parameters<typeof compare>[0],
  processes: readonly Pair<Figures>[][],
  pick: (figures: Figures) => number,
): Row {
  const ratios = processes.map((blocks) => median(compare(subject, blocks, pick).ratios));
  return { ...compare(subject, processes.flat(), pick), ratio: median(ratios), ratios };
}
