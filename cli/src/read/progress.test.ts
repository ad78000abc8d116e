import { expect, it } from 'vitest';
import { Progress } from './progress.ts';

const END = { ok: true, status: 'succeeded', pages: 1, costUsd: 0, error: null, warnings: [] };

/** What a run writes about these documents on a terminal of so many columns. */
function on(columns: number, ...files: string[]): string[] {
  const written: string[] = [];
  const output = { isTTY: true, columns, write: (text: string) => written.push(text) > 0 };
  const progress = new Progress(files.length, output);
  for (const file of files) progress.tell({ ...END, file });
  return written;
}

it('the line that is rewritten is no longer than the terminal is wide', () => {
  expect(on(20, 'scans/a-long-name-of-a-scan.pdf')).toEqual(['\r\u001b[K1/1 pages  a-long-n']);
  expect(on(80, 'scans/a.pdf')).toEqual(['\r\u001b[K1/1 pages  a.pdf']);
});

it('wide characters take two columns, and none is halved', () => {
  expect(on(16, '名名名名.pdf')).toEqual(['\r\u001b[K1/1 pages  名名']);
  expect(on(14, '😀😀.pdf')).toEqual(['\r\u001b[K1/1 pages  😀']);
});

it('a name does not steer the terminal', () => {
  expect(on(80, 'a\u001b[2J.pdf')).toEqual(['\r\u001b[K1/1 pages  a\\u001b[2J.pdf']);
});

it('the warnings of a document are told, of many the first ones', () => {
  const written: string[] = [];
  const progress = new Progress(1, { isTTY: false, columns: 80, write: (text) => written.push(text) > 0 });
  progress.tell({ ...END, file: 'a.pdf', warnings: ['One.', 'Two.', 'Three.', 'Four.', 'Five.'] });
  expect(written.join('').split('\n')).toEqual([
    'a.pdf: succeeded',
    'a.pdf: warning: One.',
    'a.pdf: warning: Two.',
    'a.pdf: warning: Three.',
    'a.pdf: 2 more warnings',
    '',
  ]);
});
