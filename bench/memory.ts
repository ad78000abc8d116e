import { statSync } from 'node:fs';
import { compare, type Pair, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { peakMb, resetPeak, residentMb } from './process-figures.ts';
import { show } from './show.ts';
import { openStage, type Stage, type Target } from './stage.ts';

const BODIES = 30;
/** A noise picture of this size is about 7.1 MB, its body about 9.5 MB. */
const PICTURE = { width: 1700, height: 1392 };

/** Peak memory with 30 large bodies at once, above idle, against an Express JSON parser that calls an engine. */
export async function benchMemory(options: { rounds: number }): Promise<Row[]> {
  if (process.platform !== 'linux') {
    console.log('\nmemory: skipped, only Linux tells a process’s peak');
    return [];
  }
  const pairs: Pair<number>[] = [];
  let bodyMb = 0;
  for (let round = 0; round < options.rounds; round++) {
    await using stage = await openStage(); // new processes: a heap that has grown once stays large
    const bodyFile = await writeNoiseBody(stage.folder, PICTURE);
    bodyMb = statSync(bodyFile).size / 1e6;
    const anchor = await peakAboveIdle(stage, stage.floor, { path: '/parse', bodyFile });
    const ours = await peakAboveIdle(stage, stage.product, { path: '/v1/ocr', bodyFile });
    pairs.push({ ours, anchor });
  }
  const subject = { unit: 'MB', better: 'less', bar: 0.45 } as const;
  const what = `${BODIES} bodies of ${bodyMb.toFixed(1)} MB`;
  const rows = [compare({ what, ...subject }, pairs, (mb) => mb)];
  show('Peak memory above idle, all bodies at once; anchor: Express’s JSON parser and the engine’s call', rows);
  return rows;
}

async function peakAboveIdle(stage: Stage, target: Target, work: { path: string; bodyFile: string }): Promise<number> {
  resetPeak(target.pid);
  const idleMb = residentMb(target.pid);
  await stage.load(target, { clients: BODIES, seconds: 0, paths: [work.path], bodyFile: work.bodyFile });
  return peakMb(target.pid) - idleMb;
}
