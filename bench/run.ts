import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBefore } from './before.ts';
import { benchDoctor } from './books.ts';
import { benchCancel } from './cancel.ts';
import { benchConsole } from './console.ts';
import { benchDispatch } from './dispatch.ts';
import { benchExport } from './export.ts';
import { benchFaces } from './faces.ts';
import { benchGateway } from './gateway.ts';
import { benchLive } from './live.ts';
import { benchMachines } from './machines.ts';
import { hasReached, type Row } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchOcr } from './ocr.ts';
import { benchPdfText } from './pdf-text.ts';
import { benchQueue } from './queue.ts';
import { benchReads } from './reads.ts';
import { benchSeries } from './series.ts';
import { benchStart } from './start.ts';
import { benchStored } from './stored.ts';
import { benchTraces } from './traces.ts';
import { benchUpgrade } from './upgrade.ts';
import { benchUsage } from './usage.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWords } from './words.ts';
import { benchWorkers } from './workers.ts';

/** What grows slowly is seen after half an hour. */
const FACES_SECONDS = 1800;

/**
 * `npm run bench -- [--only gateway,reads] [--rounds 3] [--seconds 4] [--rows 1000000] [--json FILE]`, on a built product.
 * `--only stored --rows 20000000` is the long form of it; a million are the short one. With `--data FOLDER` what was filled in is
 * kept there: a filling that is broken off goes on, and the next run measures at once.
 * `--only faces` watches the console for half an hour, or for so many seconds as are given; it runs only when it is named.
 * `--only before --before FOLDER` measures the gateway beside another built checkout of the project; `--only upgrade --before FOLDER
 * --rows 10000000` upgrades a database with so many requests that such a checkout has made, of a version before months.
 * Figures of two machines, or of two runs, cannot be compared; ratios can.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    json: { type: 'string' },
    data: { type: 'string' },
    before: { type: 'string' },
  },
});
const options = { rounds: count('rounds'), seconds: count('seconds', 4) };
const benches = new Map<string, () => Promise<Row[]>>([
  ['ocr', () => benchOcr(options)],
  ['gateway', () => benchGateway(options)],
  ['reads', () => benchReads(options)],
  ['memory', () => benchMemory(options)],
  ['traces', () => benchTraces(options)],
  ['dispatch', () => benchDispatch(options)],
  ['webhooks', () => benchWebhooks(options)],
  ['workers', () => benchWorkers(options)],
  ['machines', () => benchMachines(options)],
  ['queue', () => benchQueue(options)],
  ['cancel', () => benchCancel(options)],
  ['series', () => benchSeries({ ...options, rows: count('rows') })],
  ['live', () => benchLive(options)],
  ['console', () => benchConsole(options)],
  ['doctor', () => benchDoctor({ ...options, rows: count('rows') })],
  ['usage', () => benchUsage({ ...options, rows: count('rows') })],
  ['stored', () => benchStored({ ...options, rows: count('rows'), dataDir: values.data })],
  ['export', () => benchExport(options)],
  ['start', () => benchStart(options)],
  ['pdf-text', () => benchPdfText(options)],
  ['words', () => benchWords(options)],
]);
const all = [...benches.keys()];
benches.set('faces', () => benchFaces({ ...options, seconds: count('seconds', FACES_SECONDS) }));
benches.set('before', () => benchBefore({ ...options, project: beforeFolder() }));
benches.set('upgrade', () => benchUpgrade({ rows: count('rows'), project: beforeFolder() }));
const wanted = values.only?.split(',').map((name) => name.trim()) ?? all;
const unknown = wanted.find((name) => !benches.has(name));
if (unknown !== undefined) throw new Error(`there is no benchmark "${unknown}", but ${[...benches.keys()].join(', ')}`);

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model}; Node ${process.version}; medians of ${options.rounds} rounds`,
);
const results: Record<string, Row[]> = {};
for (const name of wanted) results[name] = (await benches.get(name)?.()) ?? [];
const withBar = Object.values(results)
  .flat()
  .filter((row) => row.bar !== null);
console.log(`\n${withBar.filter(hasReached).length} of ${withBar.length} bars reached`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

function beforeFolder(): string {
  if (values.before === undefined) throw new Error('this benchmark needs --before FOLDER, another built checkout');
  return values.before;
}

function count(name: 'rounds' | 'seconds' | 'rows', usual?: number): number {
  const number = Number(values[name] ?? usual);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1 on`);
  return number;
}
