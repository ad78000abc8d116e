import { expect, it } from 'vitest';
import { engineFacts, engineLabel, nameWithTrouble, troubleOf } from './engine-words.ts';

const WELL = { status: 'available', obstacle: null, health: { status: 'healthy', detail: null } } as const;

it('says of an engine that is down that it is, and nothing of one that is well', () => {
  expect(troubleOf(WELL)).toBeNull();
  expect(troubleOf({ ...WELL, health: { status: 'unknown', detail: null } })).toBeNull();
  expect(troubleOf({ ...WELL, obstacle: 'resting' })).toBe('down: several failures in a row');
  expect(troubleOf({ ...WELL, obstacle: 'disabled' })).toBe('switched off');
  expect(troubleOf({ ...WELL, health: { status: 'unhealthy', detail: 'x' } })).toBe('down');
  expect(troubleOf({ ...WELL, health: { status: 'degraded', detail: 'x' } })).toBe('degraded');
  expect(troubleOf({ ...WELL, status: 'coming_soon', obstacle: 'coming_soon' })).toBe('not set up');
});

it('names an engine with its price, as far as it can be used', () => {
  const engine = {
    ...{ id: 'reader', name: 'Reader', provider: 'local', pricePerPage: 0.01, maxPagesPerRequest: 20 },
    ...{ nativePdf: false, recommended: false, strengths: [], ...WELL },
  };
  expect(engineLabel(engine)).toBe('Reader · $0.01 a page');
  expect(engineLabel({ ...engine, obstacle: 'unhealthy' })).toBe(
    'Reader · $0.01 a page (down: its health checks fail)',
  );
  expect(engineLabel({ ...engine, status: 'coming_soon' })).toBe('Reader (not set up)');
});

it('says what an engine is, with one page as one', () => {
  const engine = { provider: 'local', maxPagesPerRequest: 1, nativePdf: false, strengths: [] };
  expect(engineFacts(engine)).toBe('on this machine, 1 page at most');
  const other = {
    provider: 'mistral',
    maxPagesPerRequest: 1000,
    nativePdf: true,
    strengths: ['dense_tables', 'b', 'c'],
  };
  expect(engineFacts(other)).toBe('mistral, 1,000 pages at most, reads PDFs itself, dense tables, b');
});

it('says beside a name alone what is wrong with the engine', () => {
  expect(nameWithTrouble({ ...WELL, name: 'Reader' })).toBe('Reader');
  expect(nameWithTrouble({ ...WELL, name: 'Reader', obstacle: 'resting' })).toBe(
    'Reader (down: several failures in a row)',
  );
});
