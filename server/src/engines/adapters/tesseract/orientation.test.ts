import { describe, expect, it } from 'vitest';
import { clearlyBest, scoreToBeat, suspectOrientation, type Turn } from './orientation.ts';
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
