import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { inTypeScript, LANGUAGES, SOURCE } from './languages.ts';

/** A file of a pipe: it gives what is there, which may be less than was asked for. */
const READ = `
import io
from ocr_router.client import MOST_BYTES, _bytes

class Pipe(io.RawIOBase):
    left = 100

    def readable(self):
        return True

    def readinto(self, buffer):
        count = min(7, self.left, len(buffer))
        buffer[:count] = b"x" * count
        self.left -= count
        return count

print(len(_bytes(Pipe(), MOST_BYTES)))
`;

it.skipIf(LANGUAGES.every(({ run }) => run === inTypeScript))(
  'Python: an open file that gives less than was asked for is read to its end',
  () => {
    const env = { PATH: process.env['PATH'], PYTHONPATH: SOURCE };
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', READ], { env, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['100\n', '']);
  },
);
