import { Socket } from 'node:net';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../../platform/errors.ts';
import type { PagePicture } from '../formats/document.ts';
import { isBlank } from '../pictures/blank.ts';
import { encodeScaled } from '../pictures/fit-picture.ts';
import { readFrames, writeFrame } from '../pictures/frames.ts';
import { normalise } from '../pictures/normalise.ts';
import { readHeader } from '../pictures/read-header.ts';
import { cleanPicture } from '../preprocessing/clean-picture.ts';
import { deskewForSending } from '../preprocessing/deskew.ts';
import type { PictureAnswer, PictureQuestion, PictureTask } from './picture-task.ts';

/** The pipe to the service. */
const PIPE_FD = 3;
const ANY_SIZE = Number.MAX_SAFE_INTEGER;
const NOTHING = Buffer.alloc(0);

// Pictures come one after the other, each another one: nothing is worth keeping, and the processes are the parallelism.
sharp.cache(false);
sharp.concurrency(1);

const pipe = new Socket({ fd: PIPE_FD, readable: true, writable: true });
pipe.on('close', () => process.exit(0)); // nothing is decoded for a service that is gone
pipe.on('error', () => process.exit(0));
let source = -1;
let picture: Buffer = NOTHING;

readFrames(pipe, ({ head, bytes }) => {
  const { source: asked, task } = head as PictureQuestion; // what the service writes
  if (asked !== source) picture = bytes;
  source = asked;
  void answer(task).then(({ head: said, bytes: made }) => writeFrame(pipe, said, made));
});

interface Made {
  readonly head: PictureAnswer;
  readonly bytes: Uint8Array;
}

async function answer(task: PictureTask): Promise<Made> {
  try {
    const { value, bytes = NOTHING } = await perform(task);
    return { head: { kind: 'done', value }, bytes };
  } catch (error) {
    if (error instanceof AppError) return { head: { kind: 'refused', message: error.message }, bytes: NOTHING };
    return { head: { kind: 'broken', message: String(error) }, bytes: NOTHING };
  }
}

async function perform(
  task: PictureTask,
): Promise<{ value: (PictureAnswer & { kind: 'done' })['value']; bytes?: Buffer }> {
  switch (task.kind) {
    case 'header':
      return { value: await readHeader(picture, { ...task, maxPixels: ANY_SIZE }) };
    case 'normalise': {
      const { path } = task;
      let size = 0;
      const write = async (image: Sharp, { dpi, warningsOf }: WriteOptions): Promise<PagePicture> => {
        const info = await image.toFile(path ?? '');
        size = info.size;
        const { width, height } = info;
        return { bytes: NOTHING, mimeType: 'image/png', width, height, dpi, warnings: warningsOf({ width, height }) };
      };
      const {
        bytes,
        file: _none,
        ...facts
      } = await normalise(picture, task.format, {
        ...task,
        files: path === null ? null : { write },
      });
      return { value: { ...facts, size: size || bytes.length }, bytes };
    }
    case 'clean':
      return { value: null, bytes: await cleanPicture(picture, task.radius) };
    case 'blank':
      return { value: await isBlank({ ...task, bytes: picture, mimeType: 'image/png', dpi: null, warnings: [] }) };
    case 'deskew': {
      const straight = await deskewForSending({ ...task, bytes: picture }, task.leastDegrees);
      if (!straight) return { value: null };
      const { bytes, ...facts } = straight;
      return { value: facts, bytes };
    }
    case 'scale': {
      const { bytes, ...facts } = await encodeScaled({ ...task, bytes: picture }, task.scale);
      return { value: facts, bytes };
    }
  }
}

interface WriteOptions {
  readonly dpi: number | null;
  warningsOf(size: { width: number; height: number }): string[];
}
