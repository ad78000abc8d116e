import { expect, it } from 'vitest';
import { type Format, OutputOwners, outputPaths } from '../../cli/src/read/outputs.ts';

/** Which of the documents has the outputs that each of them would have; null where they are its own. */
function ownersOf(files: readonly string[], out: string | null = null, formats: readonly Format[] = ['txt']) {
  const owners = new OutputOwners();
  return files.map((file) => owners.take(file, outputPaths(file, formats, out)));
}

it('two documents of one name in one folder have the same outputs, and the first has them', () => {
  expect(ownersOf(['scan.pdf', 'scan.png', 'other.png'])).toEqual([null, 'scan.pdf', null]);
  expect(ownersOf(['scan.pdf', './scan.png'], null, ['txt', 'json'])).toEqual([null, 'scan.pdf']);
  expect(ownersOf(['a/scan.pdf', 'b/scan.pdf', 'scan.2.pdf', 'scan.pdf'])).toEqual([null, null, null, null]);
});

it('with a folder for outputs, what lies outside the working directory lands in one place', () => {
  expect(ownersOf(['/data/a/x.pdf', '/data/b/x.pdf'], 'out')).toEqual([null, '/data/a/x.pdf']);
  expect(ownersOf(['a/x.pdf', 'b/x.pdf'], 'out')).toEqual([null, null]);
});
