import { expect, it } from 'vitest';
import { pixelPage } from './pixel-page.ts';

it('a block has a box around as many lines as an engine may answer', async () => {
  const layout = { unit: 'pixel', dpi: 300, textAngle: 0, positions: 'line', locatedBy: null, width: 100, height: 200 };
  const line = { text: 'a', polygon: [0.1, 0.1, 0.5, 0.1, 0.5, 0.2, 0.1, 0.2] };
  const lines = Array.from({ length: 200_000 }, () => line);
  const page = { page: 1, engine: 'tesseract', text: 'a', layout, lines } as const;
  const { blocks } = await pixelPage(page as Parameters<typeof pixelPage>[0], 300);
  expect(blocks.map(({ box }) => box)).toEqual([[10, 20, 50, 40]]);
});
