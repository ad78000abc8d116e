import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { PictureProcesses } from './picture-processes.ts';

const spawned = vi.hoisted(() => ({ children: [] as EventEmitter[], withStreams: false }));

/** As Node has it: without descriptors a child has no streams and no number, and says so a moment later. */
vi.mock('node:child_process', async (original) => {
  const { Duplex } = await import('node:stream');
  const stream = () =>
    Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, written) => written() }), {
      ref: () => undefined,
      unref: () => undefined,
    });
  const spawn = () => {
    const child = new EventEmitter();
    const more = { pid: undefined, kill: () => false, ref: () => undefined, unref: () => undefined };
    Object.assign(child, more, spawned.withStreams && { stdio: [null, null, null, stream()] });
    spawned.children.push(child);
    process.nextTick(() => child.emit('error', new Error('spawn EMFILE')));
    return child;
  };
  return { ...(await original<typeof import('node:child_process')>()), spawn };
});

it.each([
  ['for want of descriptors', false],
  ['for want of memory', true],
])('a picture whose process cannot be started %s is not to blame, and ends nobody', async (_, withStreams) => {
  spawned.withStreams = withStreams;
  const processes = new PictureProcesses({ processes: 1, timeoutMs: 10_000, roomBytes: 1e9 });
  const task = {
    kind: 'normalise',
    format: 'png',
    frame: 1,
    decoded: false,
    path: null,
    maxPixels: 1,
    maxSentPixels: 1,
  } as const;
  for (let n = 0; n < 2; n++) {
    const reading = processes.run({ bytes: Buffer.alloc(9), task, decodedBytes: 1000 });
    await expect(reading).rejects.toMatchObject({ code: 'engine_unavailable' });
  }
  expect(spawned.children.every((child) => child.listenerCount('error') > 0)).toBe(true);
  await processes[Symbol.asyncDispose]();
});
