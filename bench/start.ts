import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../test/house/free-ports.ts';
import { openFolder } from './folder.ts';
import { compare, interleave, type Pair, type Row } from './measure.ts';
import { treeMb } from './process-figures.ts';
import { show } from './show.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EXPRESS = join(import.meta.dirname, 'anchors/bare-express.ts');
const DATABASE_AND_EXPRESS = join(import.meta.dirname, 'anchors/express-and-database.ts');
const LOOK_EVERY_MS = 5;
const PATIENCE_MS = 120_000;
/** Until what it keeps for a minute has gone, and it has given back what its start left. */
const IDLE_MS = 120_000;
const IDLE_LIMIT_MB = 180;

interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly port: number;
  readonly dashboard: number;
  readonly dataDir: string;
}

/** How long the service takes from its command to its first 200, and what it holds when it does nothing. */
export async function benchStart({ rounds }: { rounds: number }): Promise<Row[]> {
  using opened = openFolder();
  const { folder } = opened;
  const [ours = 0, dashboard = 0, theirs = 0] = await freePorts(3);
  const fresh = () => mkdtempSync(join(folder, 'data-'));
  const product = (dataDir: string): Program => {
    return { command: [process.execPath, 'server/dist/main.js'], cwd: ROOT, port: ours, dashboard, dataDir };
  };
  const floor = (dataDir: string): Program => {
    const command = [process.execPath, DATABASE_AND_EXPRESS, String(theirs), dataDir] as const;
    return { command, cwd: ROOT, port: theirs, dashboard, dataDir };
  };
  const first = await interleave(
    rounds,
    () => timed(product(fresh())),
    () => timed(floor(fresh())),
  );
  const dataDir = join(folder, 'data-of-npm');
  const byNpm = (cwd: string, port: number) => timed({ command: ['npm', 'start'], cwd, port, dashboard, dataDir });
  await byNpm(ROOT, ours); // makes the database
  const bare = bareExpress(folder, theirs);
  const second = await interleave(
    rounds,
    () => byNpm(ROOT, ours),
    () => byNpm(bare, theirs),
  );
  const idle: Pair<number>[] = [];
  for (let round = 0; round < rounds; round++) {
    idle.push({ ours: await idleMb(product(dataDir)), anchor: IDLE_LIMIT_MB });
  }
  const time = { unit: 'ms', better: 'less' } as const;
  const rows = [
    compare({ what: 'first start, with initdb : Express and initdb', ...time, bar: 2 }, first, (ms) => ms),
    compare({ what: 'second start : Express, both by npm', ...time, bar: 2.5 }, second, (ms) => ms),
    compare({ what: 'idle, all its processes : limit', unit: 'MB', better: 'less', bar: 1 }, idle, (mb) => mb),
  ];
  show('From the command to the first 200, and memory (PSS) when idle', rows);
  return rows;
}

/** A package whose start is Express. */
function bareExpress(folder: string, port: number): string {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: `node ${EXPRESS} ${port}` } }));
  return folder;
}

async function timed(program: Program): Promise<number> {
  const begun = performance.now();
  const child = run(program);
  try {
    await answers(program.port, child);
    return performance.now() - begun;
  } finally {
    await end(child);
  }
}

async function idleMb(program: Program): Promise<number> {
  const child = run(program);
  try {
    await answers(program.port, child);
    await sleep(IDLE_MS);
    return treeMb(child.pid ?? 0);
  } finally {
    await end(child);
  }
}

function run({ command: [name, ...args], cwd, port, dashboard, dataDir }: Program): ChildProcess {
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  return spawn(name, args, {
    cwd,
    detached: true, // a group of its own
    stdio: 'ignore',
    env: {
      PATH: path,
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: String(port),
      DASHBOARD_PORT: String(dashboard),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
  });
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  while (performance.now() < late) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`${child.spawnargs.join(' ')} did not answer`);
}

/** With all that it started: npm does not pass the signal on, and what stays would answer the next start's call. */
async function end(child: ChildProcess): Promise<void> {
  const group = -(child.pid ?? 0);
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    process.kill(group, 'SIGTERM');
    await ended;
  }
  while (isThere(group)) await sleep(LOOK_EVERY_MS);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
