import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { clearlyBest, scoreToBeat, suspectOrientation, type Turn } from './orientation.ts';
import { newDocumentTurns, readPage } from './read-page.ts';
import type { RecognitionTask } from './recogniser.ts';
import type { Recognition } from './recognition.ts';

/** A reading with all its letters in lines of one shape. */
function reading(letters: number, confidence: number, shape: 'wide' | 'tall' = 'wide'): Recognition {
  const score = letters * confidence ** 3;
  const box = { left: 0, top: 0, width: shape === 'wide' ? 300 : 20, height: shape === 'wide' ? 20 : 300 };
  const lines = letters ? [{ box, letters, score }] : [];
  return {
    text: '',
    confidence: letters ? confidence : null,
    letters,
    score,
    lines,
    rows: [],
    wordHeight: 30,
    unknownVariables: [],
  };
}

const trial = (turn: Turn, recognition: Recognition) => ({ turn, recognition });

describe('suspectOrientation', () => {
  it('suspects nothing of a page that reads well', () => {
    expect(suspectOrientation(reading(2000, 0.95)).turns).toEqual([]);
    expect(suspectOrientation(reading(5, 0.95)).turns).toEqual([]);
  });

  it('suspects a page that reads badly of being upside down', () => {
    expect(suspectOrientation(reading(2000, 0.35))).toEqual({ sideways: false, turns: [180] });
  });

  it('suspects a page whose lines run up or down of lying on its side, however well it reads', () => {
    expect(suspectOrientation(reading(2000, 0.95, 'tall'))).toEqual({ sideways: true, turns: [270, 90] });
    expect(suspectOrientation(reading(2000, 0.3, 'tall'))).toEqual({ sideways: true, turns: [270, 90] });
  });

  it.each([reading(0, 0), reading(1, 0.95), reading(10, 0.6)])(
    'tries every turn where there is little text',
    (page) => {
      expect(suspectOrientation(page).turns.toSorted()).toEqual([180, 270, 90]);
    },
  );
});

describe('clearlyBest', () => {
  it('keeps a page as it lies when no turn reads clearly better', () => {
    const page = reading(500, 0.45);
    const toBeat = scoreToBeat(page.score, page, suspectOrientation(page));
    expect(clearlyBest([trial(180, reading(500, 0.48))], toBeat)).toBeNull();
    expect(clearlyBest([trial(180, reading(500, 0.9))], toBeat)?.turn).toBe(180);
  });

  it('sets a page upright that was read well on its side', () => {
    const page = reading(500, 0.95, 'tall');
    const toBeat = scoreToBeat(page.score, page, suspectOrientation(page));
    const trials = [trial(90, reading(500, 0.3)), trial(270, reading(480, 0.94))];
    expect(clearlyBest(trials, toBeat)?.turn).toBe(270);
  });

  it('chooses nothing where two turns read alike, or where the best still cannot be read', () => {
    expect(clearlyBest([trial(90, reading(100, 0.6)), trial(270, reading(100, 0.59))], 0)).toBeNull();
    expect(clearlyBest([trial(180, reading(500, 0.29))], 0)).toBeNull();
  });

  it.each([0.32, 0.41, 0.46, 0.59])('takes no turn that reads with %d, however much better that is', (confidence) => {
    const page = reading(60, 0.1);
    const toBeat = scoreToBeat(page.score, page, suspectOrientation(page));
    expect(clearlyBest([trial(90, reading(120, confidence))], toBeat)).toBeNull();
  });

  it('takes no turn after which the lines still run up or down', () => {
    expect(clearlyBest([trial(90, reading(500, 0.95, 'tall'))], 0)).toBeNull();
  });
});

describe('readPage', () => {
  const signal = new AbortController().signal;
  const blankPage = () => sharp({ create: { width: 60, height: 80, channels: 3, background: 'white' } });
  const upsideDown = reading(100, 0.3);
  const upright = reading(100, 0.95);

  /** Reads a page that lies upside down well where it is turned, and counts how often it is asked. */
  async function readPages(count: number, { delayMs = 0, lookMs = 60_000 } = {}) {
    const bytes = await blankPage()
      .composite([
        { input: Buffer.from('<svg width="20" height="9"><rect width="20" height="9"/></svg>'), top: 5, left: 5 },
      ])
      .png()
      .toBuffer();
    let calls = 0;
    const recogniser = {
      version: 'scripted',
      modeFor: (psm: number) => psm,
      knows: () => true,
      detectScript: async () => null,
      async recognise({ picture }: RecognitionTask, either: AbortSignal) {
        calls++;
        const { data, info } = await sharp(picture.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
        const isTurned = (data[(info.height - 8) * info.width + info.width - 10] ?? 255) < 128;
        if (isTurned && delayMs > 0) await setTimeout(delayMs, undefined, { signal: either });
        return isTurned ? upright : upsideDown;
      },
      async [Symbol.asyncDispose]() {},
    };
    const turns = newDocumentTurns();
    const task = { picture: { bytes }, languages: ['eng'], psm: 3, dpi: 70, variables: {} };
    const turned: number[] = [];
    const asked: number[] = [];
    for (let page = 0; page < count; page++) {
      const before = calls;
      turned.push((await readPage(recogniser, task, { turns, lookMs }, signal)).turnedBy);
      asked.push(calls - before);
    }
    return { turned, asked };
  }

  it('turns the pages of a document as those before them, without trying again', async () => {
    expect(await readPages(5)).toEqual({ turned: [180, 180, 180, 180, 180], asked: [2, 2, 1, 1, 1] });
  });

  it('keeps a page as it lies where trying others takes too long', async () => {
    expect(await readPages(1, { delayMs: 60_000, lookMs: 20 })).toMatchObject({ turned: [0] });
  });
});
