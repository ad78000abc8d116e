import type { Row } from './books.ts';
import type { Fault } from './faults/fault.ts';
import { unheardStops } from './faults/unheard-stops.ts';
import { isLost } from './lost.ts';
import type { Mortal } from './mortal.ts';
import { accountForCalls } from './paid-calls.ts';
import type { RunReport } from './under-load.ts';

/** The figures of a run as lines of a table. */
export function showReport({ evidence, faults, mortals, broken, logs }: RunReport): string {
  const { sent, rows, calls, webhooks } = evidence;
  const killed = Map.groupBy(
    mortals.filter(({ deaths }) => deaths.length > 0),
    ({ kind }) => kind,
  );
  const account = accountForCalls(evidence);
  const arrived = [...webhooks.values()];
  const charged = rows.filter(({ costNanoUsd }) => costNanoUsd > 0);
  const spentUsd = charged.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0) / 1e9;
  const lines: [string, string][] = [
    ...faults.map(({ kind, blows }): [string, string] => [kind, counts(blows)]),
    ...stops(faults),
    ...(killed.size === 0 ? [] : [recoveries(killed)]),
    ['documents sent', counts(sent.map(({ kind }) => kind))],
    ['sent again', String(sent.reduce((sum, { posts }) => sum + Math.max(0, posts - 1), 0))],
    ['requests', `${rows.length}, of which ${rows.filter(({ starts }) => starts > 1).length} ran more than once`],
    ['outcomes', counts(rows.map((row) => (isLost(row) ? lost(row) : row.outcome)))],
    ['provider calls', counts(calls.map(({ outcome }) => outcome))],
    [
      'paid calls',
      `${account.paid}: settled ${account.settled}, lost with a process that was killed ${account.lost}, ` +
        `answered while they were stopped ${account.stopped}`,
    ],
    [
      'cancelled',
      `${sent.filter(({ cancelAfter }) => cancelAfter).length} asked for: ${counts(rows.filter((row) => row.isCancelled).map(endOfCancelled))}`,
    ],
    ['deleted', String(sent.filter(({ isDeleted }) => isDeleted).length)],
    [
      'failures told',
      counts(sent.flatMap(({ failures }) => failures.map(({ status, message }) => `${status} ${message}`))),
    ],
    ['charges', `${charged.length}, ${spentUsd.toFixed(6)} USD`],
    [
      'webhooks',
      `${arrived.length} due, ${arrived.filter(({ length }) => length > 0).length} arrived, ${arrived.flat().length} posts`,
    ],
    [
      'broken',
      broken.length === 0 ? 'nothing' : `\n${broken.map((line) => `  ${line}`).join('\n')}\n${logs.slice(-6000)}`,
    ],
  ];
  return lines.map(([name, value]) => `${name.padEnd(16)}${value}`).join('\n');
}

/** How far it had come. */
function endOfCancelled({ status, pages }: Row): string {
  if (status === 'rejected') return 'in the queue';
  return pages.some(({ state }) => state === 'read') ? 'with some pages read' : 'before a page was read';
}

/** A request is given up when as many processes as are risked for it have died. */
function lost({ mode, starts, errorCode }: Row): string {
  return `${errorCode} (${mode}, free) after ${starts === 1 ? '1 start' : `${starts} starts`}`;
}

function stops(faults: readonly Fault[]): [string, string][] {
  const { length } = faults.flatMap((fault) => fault.stops);
  const unheard = unheardStops(faults).length;
  return length === 0 ? [] : [['orderly stops', `${length}, of which ${unheard} while the database was away`]];
}

function recoveries(killed: ReadonlyMap<string, readonly Mortal[]>): [string, string] {
  return ['recovery', [...killed].map(([kind, all]) => recovery(kind, all)).join('; ')];
}

function recovery(kind: string, all: readonly Mortal[]): string {
  const times = all.flatMap(({ deaths }) => deaths.map(({ from, until }) => until - from)).toSorted((a, b) => a - b);
  return `${kind} p50 ${ms(times[Math.floor(times.length / 2)])}, max ${ms(times.at(-1))}`;
}

function counts(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name);
  return `${names.length}: ${[...groups].map(([name, all]) => `${name} ${all.length}`).join(', ')}`;
}

function ms(value: number | undefined): string {
  return value === undefined ? '-' : `${Math.round(value)} ms`;
}
