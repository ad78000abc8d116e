import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShownPage } from '../../documents/formats/document.ts';
import { packPage } from '../../documents/positions/pack-page.ts';
import { type LayoutLine, type PageLayout, quadOf } from '../../engines/model/page-layout.ts';
import { atOnce } from '../../platform/turns/slices.ts';
import { type Located, shownLayout } from './shown-layout.ts';
import { unpackLines } from './unpack-lines.ts';

const A4: ShownPage = { width: 595.28, height: 841.89, unit: 'point', dpi: 300 };

function line(text: string, left: number, top: number, width: number, height: number): LayoutLine {
  const box = quadOf({ left, top, width, height });
  return { text, box, confidence: 0.9, block: null, words: [{ text, box, confidence: 0.9 }] };
}

function layoutOf(width: number, height: number, ...lines: LayoutLine[]): PageLayout {
  return { width, height, granularity: 'word', lines };
}

function shown(layout: PageLayout | null, more: Partial<Located> = {}) {
  const { stored, fits, strays } = atOnce(shownLayout({ layout, page: A4, text: 'fox', ...more }));
  const lines = stored.lines && unpackLines(stored.lines, { words: true });
  return { fits, strays, ...stored, lines, polygon: lines?.[0]?.polygon };
}

describe('the place of text on the shown page', () => {
  it('is a fraction of the picture that was read, whatever its size', () => {
    const small = shown(layoutOf(1000, 2000, line('fox', 100, 200, 300, 100)));
    const large = shown(layoutOf(2000, 4000, line('fox', 200, 400, 600, 200)));
    expect(small).toEqual(large);
    expect(small).toMatchObject({
      positions: 'word',
      unit: 'point',
      width: 595.28,
      dpi: 300,
      textAngle: 0,
      fits: true,
    });
    expect(small.polygon).toEqual([0.1, 0.1, 0.4, 0.1, 0.4, 0.15, 0.1, 0.15]);
  });

  it('is what it was where the lines come packed, and untold where there were too many of them', () => {
    const lines = [
      line('fox', 0.1, 0.1, 0.3, 0.05),
      line('beyond', 1.2, 0.1, 0.3, 0.05),
      line('ox', 0.98, 0.5, 0.03, 0.05),
    ];
    const packed = atOnce(packPage(lines, { page: A4, text: 'fox', isTextLayer: true }));
    const told = shown(layoutOf(1, 1, ...lines), { isTextLayer: true });
    expect(shown({ ...layoutOf(1, 1), packed }, { isTextLayer: true })).toEqual(told);
    expect(told.lines?.map(({ text }) => text)).toEqual(['fox', 'ox']);
    expect(shown({ ...layoutOf(1, 1), packed: null })).toMatchObject({ fits: false, positions: 'none', lines: null });
  });

  it('goes by where on the page the picture lies', () => {
    const placement = [0.5, 0, 0, 0.8, 0.25, 0.1] as const;
    const { polygon } = shown(layoutOf(100, 100, line('fox', 0, 0, 100, 50)), { page: { ...A4, placement } });
    expect(polygon).toEqual([0.25, 0.1, 0.75, 0.1, 0.75, 0.5, 0.25, 0.5]);
  });

  it('has the angle by which the page has to be turned for most of its text to stand upright', () => {
    const down = { ...line('a longer line', 0, 0, 1, 1), box: [0.9, 0.1, 0.9, 0.9, 0.8, 0.9, 0.8, 0.1] as const };
    const up = { ...line('a longer line', 0, 0, 1, 1), box: [0.1, 0.9, 0.1, 0.1, 0.2, 0.1, 0.2, 0.9] as const };
    const over = { ...line('a longer line', 0, 0, 1, 1), box: [0.9, 0.2, 0.1, 0.2, 0.1, 0.1, 0.9, 0.1] as const };
    const upright = line('short', 0.1, 0.1, 0.3, 0.02);
    expect([down, up, over].map((turned) => shown(layoutOf(1, 1, upright, turned)).textAngle)).toEqual([270, 90, 180]);
  });

  it('is turned with a page that a provider read as it lies in the file', () => {
    const landscape: ShownPage = { width: 800, height: 600, unit: 'point', dpi: null };
    const seen = layoutOf(600, 800, line('fox', 60, 80, 120, 40));
    const by90 = shown(seen, { page: landscape, rotation: 90 });
    expect(by90.polygon).toEqual([0.9, 0.1, 0.9, 0.3, 0.85, 0.3, 0.85, 0.1]);
    expect(shown(seen, { page: landscape, rotation: 270 }).polygon).toEqual([0.1, 0.9, 0.1, 0.7, 0.15, 0.7, 0.15, 0.9]);
    const turnedAlready = shown(layoutOf(800, 600, line('fox', 80, 60, 80, 60)), { page: landscape, rotation: 90 });
    expect(turnedAlready.polygon?.slice(0, 4)).toEqual([0.1, 0.1, 0.2, 0.1]);
  });
});

describe('what may be wrong', () => {
  it.each<[string, PageLayout, Partial<Located>]>([
    ['a page of another shape', layoutOf(500, 500, line('fox', 0, 0, 9, 9)), { rotation: 0 }],
    ['a transposed page that is not turned', layoutOf(842, 595, line('fox', 0, 0, 9, 9)), { rotation: 0 }],
    ['a page without a size', layoutOf(0, 100, line('fox', 0, 0, 9, 9)), {}],
    ['boxes that stand off the page', layoutOf(1, 1, line('fox', 2, 2, 0.1, 0.1)), {}],
    ['boxes that are no numbers', layoutOf(1, 1, line('fox', Number.NaN, 0, 0.1, 0.1)), {}],
    ['endless words', layoutOf(1, 1, ...Array.from({ length: 20_001 }, () => line('a', 0, 0, 0.1, 0.1))), {}],
    ['endless texts', layoutOf(1, 1, line('a'.repeat(600_000), 0, 0, 0.1, 0.1)), {}],
  ])('%s: is left out, and the size of the page stays', (_, layout, more) => {
    expect(shown(layout, more)).toMatchObject({ fits: false, lines: null, positions: 'none', width: 595.28 });
  });

  it('is left out by itself, and counted, where most boxes are right', () => {
    const good = Array.from({ length: 20 }, (_, i) => line('fox', 0.1, i / 25, 0.2, 0.02));
    expect(shown(layoutOf(1, 1, ...good)).strays).toBe(0);
    const { lines, fits, strays } = shown(layoutOf(1, 1, ...good, line('off', 1.5, 0.1, 0.2, 0.02)));
    expect([fits, lines?.length, strays]).toEqual([true, 20, 1]);
  });

  it('is left out of a table that stands off the page, and counted; the table is what it is', () => {
    const grid = { rows: 1, columns: 1, cells: [] };
    const [on, off] = [0.1, 1.5].map((left) => quadOf({ left, top: 0.1, width: 0.2, height: 0.1 }));
    const tables = [on, off, null].map((box = null) => ({ ...grid, box }));
    const page = shown({ ...layoutOf(1, 1), granularity: 'none', tables });
    expect([page.fits, page.strays]).toEqual([true, 1]);
    expect(page.tables).toHaveLength(3);
  });

  it('is left out where there are more tables, or more text in them, than a page has', () => {
    const cell = { row: 1, column: 1, rowSpan: 1, columnSpan: 1, text: 'a', header: false };
    const tablesOf = (count: number, text = 'a') => {
      const table = { rows: 1, columns: 1, cells: [{ ...cell, text }], box: null };
      return shown({ ...layoutOf(1, 1), granularity: 'none', tables: Array.from({ length: count }, () => table) })
        .tables;
    };
    expect([tablesOf(200)?.length, tablesOf(201)]).toEqual([200, undefined]);
    expect([tablesOf(2, 'a'.repeat(500_000))?.length, tablesOf(2, 'a'.repeat(500_001))]).toEqual([2, undefined]);
  });

  it('is no fault of a text layer, which may reach beyond the page', () => {
    const [inside, beyond] = [line('fox', 0.1, 0.1, 0.2, 0.02), line('off', 1.5, 0.1, 0.2, 0.02)];
    const { lines, fits, strays } = shown(layoutOf(1, 1, inside, beyond), { isTextLayer: true });
    expect([fits, strays, lines?.map(({ text }) => text)]).toEqual([true, 0, ['fox']]);
  });

  it('never leaves the page', () => {
    const number = fc.double({ min: -0.2, max: 1.2, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number, number, number), { maxLength: 30 }), (boxes) => {
        const lines = boxes.map(([left, top, width, height]) => line('fox', left, top, width, height));
        const polygons = shown(layoutOf(1, 1, ...lines)).lines?.flatMap(({ polygon }) => polygon) ?? [];
        return polygons.every((value) => value >= 0 && value <= 1);
      }),
    );
  });
});
