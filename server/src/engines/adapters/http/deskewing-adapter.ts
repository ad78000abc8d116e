import { deskewPage } from '../../../documents/preprocessing/deskew.ts';
import { type Size, straightSheet } from '../../../documents/preprocessing/straight-sheet.ts';
import type { Adapter } from '../../model/adapter-type.ts';
import type { EngineInput, EngineSettings, PageReading, Reading } from '../../model/engine.ts';
import { type PageLayout, type Quad } from '../../model/page-layout.ts';

/**
 * Least angle at which pictures are straightened: engines that find lines by themselves read straightened pictures better from
 * here on, and worse below (docs/accuracy.md).
 */
const LEAST_DEGREES = 4;

/** Gives an engine pictures with straight lines. The places where it finds text are answered on the picture as it came. */
export class DeskewingAdapter implements Adapter {
  readonly #engine: Adapter;

  constructor(engine: Adapter) {
    this.#engine = engine;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    const straight =
      input.kind === 'picture' && settings.preprocess !== false
        ? await deskewPage(input.picture, LEAST_DEGREES, { signal, party: input.party })
        : null;
    if (input.kind !== 'picture' || !straight) return this.#engine.read(input, settings, signal);
    const { degrees, ...sheet } = straight;
    const { decoder: _, ...picture } = input.picture; // the straight one is ours
    const reading = await this.#engine.read({ ...input, picture: { ...picture, ...sheet } }, settings, signal);
    const asItCame = (page: PageReading): PageReading => ({
      ...page,
      steps: ['deskewed', ...(page.steps ?? [])],
      ...(page.layout && { layout: turnedBack(page.layout, picture, degrees) }),
    });
    return { ...reading, pages: reading.pages.map(asItCame) };
  }
}

/** A layout of the straight sheet, in the picture's own pixels. */
function turnedBack(layout: PageLayout, { width, height }: Size, degrees: number): PageLayout {
  const sheet = straightSheet({ width, height }, degrees);
  const [perX, perY] = [sheet.width / layout.width, sheet.height / layout.height];
  const place = <Placed extends { readonly box: Quad }>(placed: Placed): Placed => {
    const [x1, y1, x2, y2, x3, y3, x4, y4] = placed.box;
    const corner = (x: number, y: number) => sheet.back(x * perX, y * perY);
    const box: Quad = [...corner(x1, y1), ...corner(x2, y2), ...corner(x3, y3), ...corner(x4, y4)];
    return { ...placed, box };
  };
  const lines = layout.lines.map((line) => ({ ...place(line), words: line.words.map(place) }));
  return { ...layout, width, height, lines };
}
