import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ArchiveWriter } from './write-archive.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const MB = 1024 * 1024;
/** How often it is looked at which pieces are left once everything that nobody holds is collected. */
const LOOK_EVERY = 50;
/** More pieces than are on their way at once. */
const FEW = 20;

it('keeps nothing in memory of what it has written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ocr-router-archive-'));
  try {
    let most = 0;
    const given: WeakRef<ArrayBufferLike>[] = [];
    const stream = Readable.from(
      (function* () {
        for (let n = 0; n < 400; n++) {
          if (n % LOOK_EVERY === 0) {
            collect();
            most = Math.max(most, given.filter((piece) => piece.deref()).length);
          }
          const piece = Buffer.alloc(MB, n);
          given.push(new WeakRef(piece.buffer));
          yield piece;
        }
      })(),
    );
    const archive = new ArchiveWriter(join(folder, 'archive.tar.gz'));
    expect(await archive.addStream('data/rows', stream)).toMatchObject({ bytes: 400 * MB });
    await archive.end();
    expect(most).toBeLessThan(FEW);
    expect((await stat(join(folder, 'archive.tar.gz'))).size).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
