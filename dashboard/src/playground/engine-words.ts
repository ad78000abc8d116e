import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import type { PlaygroundQuery } from '../documents.generated.ts';

type EngineChoice = PlaygroundQuery['engines'][number];
type Obstacle = NonNullable<EngineChoice['obstacle']>;

/** Why an engine takes no requests now. */
const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  disabled: 'switched off',
  unhealthy: 'down: its health checks fail',
  resting: 'down: several failures in a row',
  coming_soon: 'not set up',
};

export function obstacleText(obstacle: Obstacle): string {
  return OBSTACLES[obstacle];
}

/** What is wrong with an engine, in a few words; null for one that is well. */
export function troubleOf({ status, obstacle, health }: Pick<EngineChoice, 'status' | 'obstacle' | 'health'>) {
  if (status !== 'available') return OBSTACLES.coming_soon;
  if (obstacle !== null) return OBSTACLES[obstacle];
  if (health.status === 'unhealthy') return 'down';
  return health.status === 'degraded' ? 'degraded' : null;
}

/** `Tesseract (down: …)`. */
export function nameWithTrouble(engine: Pick<EngineChoice, 'name' | 'status' | 'obstacle' | 'health'>): string {
  const trouble = troubleOf(engine);
  return trouble === null ? engine.name : `${engine.name} (${trouble})`;
}

/** `Tesseract · $0.001 a page (down: …)`. */
export function engineLabel(engine: EngineChoice): string {
  const trouble = troubleOf(engine);
  const price = engine.status === 'available' ? ` · ${money(engine.pricePerPage)} a page` : '';
  return `${engine.name}${price}${trouble === null ? '' : ` (${trouble})`}`;
}

type Facts = Pick<EngineChoice, 'provider' | 'maxPagesPerRequest' | 'nativePdf' | 'strengths'>;

/** `mistral, 1,000 pages at most, reads PDFs itself`. */
export function engineFacts({ provider, maxPagesPerRequest, nativePdf, strengths }: Facts): string {
  const words = [
    provider === 'local' ? 'on this machine' : provider,
    `${plural(maxPagesPerRequest, 'page')} at most`,
    nativePdf ? 'reads PDFs itself' : null,
    ...strengths.slice(0, 2).map((strength) => strength.replaceAll('_', ' ')),
  ];
  return words.filter(Boolean).join(', ');
}
