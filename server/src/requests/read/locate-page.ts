import type { PagePicture, PageSize, ShownPage } from '../../documents/formats/document.ts';
import type { PageReading, Reading } from '../../engines/model/engine.ts';
import type { PageLayout } from '../../engines/model/page-layout.ts';
import type { Slices } from '../../platform/turns/slices.ts';
import { shownLayout } from '../layout/shown-layout.ts';
import type { StoredLayout } from '../layout/stored-layout.ts';

/** The layout to store of a page, and what was wrong with the engine's positions (see `PageResult`). */
export interface LocatedPage {
  readonly layout: StoredLayout;
  readonly misfit?: true;
  readonly strays?: number;
}

/** Takes the layouts, by page, out of a reading: they are stored by themselves, packed. */
export function takeLayouts(reading: Reading): { reading: Reading; layouts: ReadonlyMap<number, PageLayout> } {
  const layouts = new Map<number, PageLayout>();
  for (const { number, layout } of reading.pages) if (layout) layouts.set(number, layout);
  if (layouts.size === 0) return { reading, layouts };
  return { reading: { ...reading, pages: reading.pages.map(({ layout: _layout, ...page }) => page) }, layouts };
}

/** Locates the text of a page of which the engine got a picture. */
export async function locateOnPicture(
  slices: Slices,
  layout: PageLayout | null,
  page: PageReading | null,
  picture: PagePicture,
): Promise<LocatedPage> {
  const { width, height, dpi } = picture;
  return located(slices, layout, page, { page: picture.page ?? { width, height, dpi, unit: 'pixel' } });
}

/** Locates the text of a page of a PDF that the engine got as it is. */
export async function locateInPdf(
  slices: Slices,
  layout: PageLayout | null,
  page: PageReading | null,
  size: PageSize,
): Promise<LocatedPage> {
  const { width, height, rotation } = size;
  return located(slices, layout, page, { page: { width, height, unit: 'point', dpi: null }, rotation });
}

async function located(
  slices: Slices,
  layout: PageLayout | null,
  page: PageReading | null,
  shown: { page: ShownPage; rotation?: number },
): Promise<LocatedPage> {
  const isTextLayer = page?.source === 'text_layer';
  const steps = shownLayout({ layout, text: page?.text ?? '', isTextLayer, ...shown });
  const { stored, fits, strays } = await slices.run(steps);
  if (!fits) return { layout: stored, misfit: true };
  return strays > 0 ? { layout: stored, strays } : { layout: stored };
}
