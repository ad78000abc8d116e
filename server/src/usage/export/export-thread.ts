import { parentPort, workerData } from 'node:worker_threads';
import { openPool } from '../../database/pool.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { lowerThreadPriority } from '../../platform/low-priority.ts';
import { ArchiveStream } from './archive-stream.ts';
import type { ExportData, FromExport, ToExport } from './export-messages.ts';
import { writeExport } from './write-export.ts';

lowerThreadPriority();

const { accountId, url } = workerData as ExportData;
const log = makeLog('silent'); // what goes wrong is told to the process
const wanted = { pieces: 0, wake: (): void => undefined };

parentPort?.on('message', ({ kind }: ToExport) => {
  if (kind !== 'more') return;
  wanted.pieces += 1;
  wanted.wake();
});

try {
  tell({ kind: 'end', lines: await run() });
} catch (error) {
  tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
parentPort?.close();

async function run() {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(openPool(url, { max: 1, log, kind: 'reports' }), (opened) => opened.end());
  const archive = new ArchiveStream();
  const written = writeExport(pool, accountId, archive);
  written.then(
    () => archive.end(),
    (error: Error) => archive.fail(error),
  );
  for await (const piece of archive.readable as AsyncIterable<Buffer>) {
    await isWanted();
    const bytes = new Uint8Array(piece); // a copy of its own, which is handed over
    parentPort?.postMessage({ kind: 'piece', bytes } satisfies FromExport, [bytes.buffer]);
  }
  return written;
}

/** Nothing is sent that nobody has room for. */
async function isWanted(): Promise<void> {
  while (wanted.pieces === 0) {
    await new Promise<void>((resolve) => {
      wanted.wake = resolve;
    });
  }
  wanted.pieces -= 1;
}

function tell(message: FromExport): void {
  parentPort?.postMessage(message);
}
