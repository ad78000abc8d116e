import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { findTables } from './find-tables.ts';
import { LongTexts, lookThrough } from './long-texts.ts';
import { plainText } from './plain-text.ts';
import { TEXT_WORK } from './text-work.ts';

const TABLE = '| a | b |\n| - | - |\n| 1 | 2 |\n\n';
const VERY_LONG = `**bold** ${'word '.repeat(60_000)}`;
const LONG = `**bold** ${'word '.repeat(10_000)}`;
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-threads-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const ENDING = await entry('ending', 'process.exit(3);');
const BROKEN = await entry('broken', 'import "./nowhere.mjs";');
const SILENT = await entry('silent', 'export default () => new Promise(() => undefined);');
const GREEDY = await entry(
  'greedy',
  'export default () => { for (const kept = []; ; ) kept.push(new Array(1e5).fill(1)); };',
);

async function entry(name: string, code: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, code);
  return pathToFileURL(file).href;
}

afterEach(() => void vi.restoreAllMocks());

/** Whether it was looked through by the service's own thread. */
async function lookedThrough(kind: 'plain' | 'tables', text: string) {
  const here = vi.spyOn(TEXT_WORK, kind);
  return { found: await lookThrough(kind, text, 'a'), isHere: here.mock.calls.length > 0 };
}

it('finds the same in texts of every length, and leaves the longest to a thread', async () => {
  for (const [times, isHere] of [
    [1, true],
    [2000, true],
    [12_000, false],
  ] as const) {
    const text = `**bold** ${TABLE}`.repeat(times);
    expect(await lookedThrough('plain', text)).toEqual({ found: plainText(text), isHere });
    expect(await lookedThrough('tables', text)).toEqual({ found: findTables(text), isHere });
    vi.restoreAllMocks();
  }
});

describe('a thread that', () => {
  it.each([
    ['cannot be loaded', BROKEN],
    ['ends before it is ready', ENDING],
  ])('%s keeps nobody: the text is looked through here, and so is the next one', async (_, entry) => {
    const texts = new LongTexts({ entry, limitsMs: { text: 600_000 } });
    const began = performance.now();
    for (const party of ['a', 'b'])
      expect(await texts.lookThrough('plain', VERY_LONG, party)).toBe(plainText(VERY_LONG));
    expect(performance.now() - began).toBeLessThan(9000); // nobody has waited for its place
  });

  it.each([
    ['takes too long over a text', SILENT],
    ['has too little memory for a text', GREEDY],
  ])(
    '%s leaves it as it is, and takes the next one',
    async (_, entry) => {
      const here = vi.spyOn(TEXT_WORK, 'plain');
      const texts = new LongTexts({ entry, memoryMb: 64, limitsMs: { text: entry === SILENT ? 300 : 600_000 } });
      expect(await texts.lookThrough('plain', VERY_LONG, 'a')).toBe(VERY_LONG);
      expect(await texts.lookThrough('tables', VERY_LONG, 'a')).toEqual([]);
      expect(here).not.toHaveBeenCalled();
    },
    120_000,
  );
});

describe('texts that find no place in time', () => {
  /** How many are looked through here at once, at most, while so many wait. */
  async function mostAtOnce(text: string, parties: readonly string[]) {
    const texts = new LongTexts({ entry: SILENT, limitsMs: { thread: 50, here: 1000, text: 60_000 } });
    let [now, most] = [0, 0];
    vi.spyOn(TEXT_WORK, 'plain').mockImplementation(function* () {
      most = Math.max(most, ++now);
      for (const untilMs = performance.now() + 40; performance.now() < untilMs; ) yield;
      now--;
      return 'looked through';
    });
    void texts.lookThrough('plain', VERY_LONG, 'holder');
    await sleep(20);
    const found = await Promise.all(parties.map((party) => texts.lookThrough('plain', text, party)));
    return { most, found };
  }

  it('are looked through one of an account at a time, and those of an account that has too many are left as they are', async () => {
    expect((await mostAtOnce(VERY_LONG, Array<string>(4).fill('a'))).most).toBe(1);
    const { most, found } = await mostAtOnce(VERY_LONG, [...Array<string>(60).fill('a'), 'b']);
    expect(most).toBe(2);
    expect(found.at(-1)).toBe('looked through'); // another's one is not behind them all
    expect(found.filter((text) => text === VERY_LONG).length).toBeGreaterThan(10);
  });

  it('are a few at once where they are shorter, two of an account', async () => {
    expect((await mostAtOnce(LONG, Array<string>(8).fill('a'))).most).toBe(2);
    expect((await mostAtOnce(LONG, ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e'])).most).toBe(4);
  });
});
