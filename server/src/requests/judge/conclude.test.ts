import { describe, expect, it } from 'vitest';
import type { EngineEntry } from '../../engines/engines-file.ts';
import { makeCatalogue } from '../../engines/make-catalogue.ts';
import type { Ending, Engine, Reading } from '../../engines/model/engine.ts';
import { fromUsd } from '../../platform/money.ts';
import type { PageResult } from '../read/page-result.ts';
import { conclude, judge } from './conclude.ts';

const CENT = fromUsd(0.01);

function engine(more: Partial<EngineEntry> = {}): Engine {
  const entry = {
    id: 'flat',
    name: 'Flat',
    provider: 'p',
    adapter: 'openai',
    model: 'm',
    api_key: 'k',
    price_per_page_usd: 0.01,
    ...more,
  };
  const [made] = makeCatalogue([entry], { secrets: {}, cores: 2, engineLimitMs: 1000 }).engines;
  if (!made) throw new Error('a catalogue of one entry has one engine');
  return made;
}

const TOKENS = { token_prices: { input_per_million_usd: 1, output_per_million_usd: 10 } };
const usage = { inputTokens: 1000, outputTokens: 500, pages: null, raw: { prompt_tokens: 1000 } };
const TOKEN_COST = fromUsd(0.001 + 0.005);

function page(
  number: number,
  from: Engine,
  ending: Ending,
  text: string,
  more: Partial<Reading> & { blank?: boolean; scanned?: string } = {},
): PageResult {
  const { blank = false, scanned, ...rest } = more;
  const reading: Reading = {
    ending,
    pages: [],
    usage: null,
    billed: 'yes',
    providerRequestId: null,
    modelVersion: null,
    warnings: [],
    ...rest,
  };
  const base = { number, text, confidence: text === '' ? null : 0.75, source: 'engine' as const };
  const read = scanned === undefined ? base : { ...base, scanned: { reason: scanned } };
  return { number, engine: from, latencyMs: 10, reading, page: read, blank, warnings: [] };
}

function concluded(pages: PageResult[], more: Partial<Parameters<typeof conclude>[1]> = {}) {
  const first = pages[0]?.engine ?? engine();
  const attemptIds = new Map(pages.map((result) => [result.engine.id, `att_${result.engine.id}`]));
  return conclude(judge(pages), {
    engine: first,
    extraPages: 0,
    attemptIds,
    documentPages: pages.length,
    timedOut: false,
    ...more,
  });
}

const OK: Ending = { kind: 'ok' };

describe('a request whose pages were all read', () => {
  it('costs the page price for each, and joins the pages by a rule', () => {
    const flat = engine();
    const end = concluded([page(1, flat, OK, 'one'), page(2, flat, OK, 'two')]);
    expect(end).toMatchObject({
      kind: 'succeeded',
      text: 'one\n\n---\n\ntwo',
      pages: 2,
      charge: 2n * CENT,
      chargeKind: 'charge',
    });
    expect(end.attempts).toMatchObject([{ id: 'att_flat', outcome: 'ok', billing: 'none', pages: 2, pagesTried: 2 }]);
  });

  it('warns of a page that was read with low confidence, with the figure', () => {
    const flat = engine();
    const unsure = {
      ...page(2, flat, OK, 'tw0'),
      page: { number: 2, text: 'tw0', confidence: 0.4249, source: 'engine' as const },
    };
    const end = concluded([{ ...unsure, number: 1, page: { ...unsure.page, confidence: 0.6 } }, unsure]);
    expect(end.warnings).toEqual(['Page 2 was read with low confidence (0.42): check its text.']);
  });

  it('warns of positions that were left out, and how many', () => {
    const flat = engine();
    const [misfit, strays, one] = [{ misfit: true as const }, { strays: 2 }, { strays: 1 }];
    expect(concluded([{ ...page(1, flat, OK, 'one'), ...misfit }]).warnings).toEqual([
      "Page 1: the engine's positions do not fit the page and were left out.",
    ]);
    expect(concluded([{ ...page(1, flat, OK, 'one'), ...strays }]).warnings).toEqual([
      '2 of the engine’s positions are off the page and were left out.',
    ]);
    const several = [misfit, strays, one].map((more, i) => ({ ...page(i + 1, flat, OK, 'one'), ...more }));
    expect(concluded(several).warnings).toEqual([
      "Page 1: the engine's positions do not fit the page and were left out.",
      'Page 2: 2 of the engine’s positions are off the page and were left out.',
      'Page 3: 1 of the engine’s positions is off the page and was left out.',
    ]);
    const many = Array.from({ length: 22 }, (_, i) => ({ ...page(i + 1, flat, OK, 'one'), strays: i + 1 }));
    const { warnings } = concluded(many);
    expect([warnings.length, warnings.at(-1)]).toEqual([
      21,
      '2 more pages (21-22): some of the engine’s positions are off the page and were left out.',
    ]);
  });

  it('names the pages that were prepared, and what was done to them', () => {
    const flat = engine();
    const end = concluded([page(1, flat, OK, 'one'), { ...page(2, flat, OK, 'two'), steps: ['deskewed', 'turned'] }]);
    expect(end.preprocessing).toEqual([{ page: 2, steps: ['deskewed', 'turned'] }]);
  });

  it('is billed for the pages that were asked for beyond the document', () => {
    expect(concluded([page(1, engine(), OK, 'one')], { extraPages: 2 })).toMatchObject({ pages: 3, charge: 3n * CENT });
  });

  it('costs the tokens of a token-priced engine', () => {
    const end = concluded([page(1, engine(TOKENS), OK, 'one', { usage })]);
    expect(end).toMatchObject({ kind: 'succeeded', charge: TOKEN_COST });
    expect(end.attempts).toMatchObject([{ billing: 'settled', cost: TOKEN_COST, usage: [{ prompt_tokens: 1000 }] }]);
  });

  it('leaves billing pending, and charges nothing, when a token-priced engine did not report usage', () => {
    const end = concluded([page(1, engine(TOKENS), OK, 'one')]);
    expect(end).toMatchObject({ kind: 'succeeded', charge: 0n });
    expect(end.attempts).toMatchObject([{ billing: 'pending' }]);
  });

  it('names a blank page, and charges it', () => {
    const flat = engine();
    const end = concluded([page(1, flat, OK, 'one'), page(2, flat, { kind: 'empty' }, '', { blank: true })]);
    expect(end).toMatchObject({ kind: 'succeeded', text: 'one\n\n---\n\n', charge: 2n * CENT });
    expect(end.warnings).toEqual(['Page 2 is blank.']);
  });

  it('leaves a skipped scanned page out of the text, names it, and charges it', () => {
    const flat = engine();
    const end = concluded([page(1, flat, OK, 'one'), page(2, flat, OK, '', { scanned: 'no text layer' })]);
    expect(end).toMatchObject({ kind: 'succeeded', text: 'one', pages: 2, charge: 2n * CENT });
    expect(end.warnings).toEqual(['Page 2 is scanned (no text layer) and was skipped.']);
  });

  it('charges a page that another engine read at that engine’s price', () => {
    const other = engine({ id: 'other', price_per_page_usd: 0.05 });
    const flat = engine();
    const end = concluded([page(1, flat, OK, 'one'), page(2, other, OK, 'two')], { engine: flat });
    expect(end.charge).toBe(6n * CENT);
    expect(end.warnings).toEqual(['Page 2 is scanned and was read by other.']);
    expect(end.attempts.map(({ engine: id }) => id)).toEqual(['flat', 'other']);
  });
});

describe('a request with a bad page', () => {
  it('is partial when other pages were read: their price, and the provider’s cost of the failed one', () => {
    const flat = engine({ provider_cost_per_page_usd: 0.002 });
    const end = concluded([page(1, flat, OK, 'one'), page(2, flat, { kind: 'refused', message: 'no' }, '')]);
    expect(end).toMatchObject({ kind: 'partial', text: '', preview: 'one', pages: 1, charge: CENT + fromUsd(0.002) });
    expect(end.warnings).toEqual(['Page 2 failed: no.']);
  });

  it('is partial with a truncated text, charged at the provider’s cost even above the price', () => {
    const dear = engine({ provider_cost_per_page_usd: 0.5 });
    const end = concluded([page(1, dear, { kind: 'truncated', message: 'cut' }, 'half a')]);
    expect(end).toMatchObject({
      kind: 'partial',
      preview: 'half a',
      charge: fromUsd(0.5),
      chargeKind: 'provider_cost',
    });
  });

  it('is partial when an LLM engine runs into a loop', () => {
    const line = 'This whole line of the page comes back again and again without end.';
    const end = concluded([page(1, engine(), OK, `Start\n${`${line}\n`.repeat(40)}`)]);
    expect(end.kind).toBe('partial');
    expect(end.message).toMatch(/loop/);
    expect(end.pageRows).toMatchObject([{ state: 'failed', text: expect.stringContaining(line) }]);
  });

  it('keeps at most 2,000 characters of a partial text', () => {
    const end = concluded([page(1, engine(), { kind: 'truncated', message: 'cut' }, 'x'.repeat(5000))]);
    expect(end.preview).toHaveLength(2000);
  });
});

describe('a request without a good page', () => {
  const refusal: Ending = { kind: 'refused', message: 'I cannot' };

  it.each<[string, Ending, Partial<Reading>, string]>([
    ['refused', refusal, {}, 'refused'],
    ['empty', { kind: 'empty' }, {}, 'refused'],
    ['timed out', { kind: 'timeout', message: 't' }, {}, 'timeout'],
    ['unreadable', { kind: 'unreadable', message: 'u' }, {}, 'unreadable'],
    ['failed unbilled', { kind: 'failed', message: 'f', temporary: true, httpStatus: 500 }, { billed: 'no' }, 'failed'],
    [
      'failed billed',
      { kind: 'failed', message: 'f', temporary: true, httpStatus: 500 },
      { billed: 'unknown' },
      'refused',
    ],
    ['truncated without text', { kind: 'truncated', message: 't' }, {}, 'refused'],
  ])('%s', (_, ending, reading, kind) => {
    expect(concluded([page(1, engine(), ending, '', reading)])).toMatchObject({ kind, pages: 0, text: '' });
  });

  it('costs what the provider billed by tokens', () => {
    expect(concluded([page(1, engine(TOKENS), refusal, '', { usage })])).toMatchObject({
      charge: TOKEN_COST,
      chargeKind: 'provider_cost',
    });
  });

  it('costs nothing yet, and is pending, when the provider has not said', () => {
    const end = concluded([page(1, engine(), refusal, '')]);
    expect(end.charge).toBe(0n);
    expect(end.attempts).toMatchObject([{ billing: 'pending', outcome: 'refused' }]);
  });

  it('costs nothing when the provider bills nothing', () => {
    const end = concluded([page(1, engine({ provider_cost_per_page_usd: 1 }), refusal, '', { billed: 'no' })]);
    expect(end.charge).toBe(0n);
    expect(end.attempts).toMatchObject([{ billing: 'none' }]);
  });

  it('costs nothing on a local engine', () => {
    const end = concluded([page(1, engine({ adapter: 'tesseract' }), { kind: 'timeout', message: 't' }, '')]);
    expect(end.charge).toBe(0n);
  });

  it('is a timeout when the time of the request was over, whatever was read by then', () => {
    const flat = engine({ provider_cost_per_page_usd: 0.002 });
    const end = concluded([page(1, flat, OK, 'one'), page(2, flat, { kind: 'timeout', message: 't' }, '')], {
      timedOut: true,
    });
    expect(end).toMatchObject({ kind: 'timeout', text: '', charge: fromUsd(0.004), chargeKind: 'provider_cost' });
  });
});

describe('what is said of many pages', () => {
  const from = engine({ id: 'scans', adapter: 'tesseract' });
  const blank = (number: number) => page(number, from, { kind: 'empty' }, '', { blank: true });

  it('is a sentence for each of twenty pages, then the numbers of the others', () => {
    const pages = Array.from({ length: 300 }, (_, index) => blank(index + 1));
    const { warnings } = concluded(pages, { documentPages: 300 });
    expect(warnings).toHaveLength(21);
    expect(warnings.slice(-2)).toEqual(['Page 20 is blank.', '280 more pages (21-300): blank.']);
  });

  it('is counted by what is said', () => {
    const pages = Array.from({ length: 50 }, (_, index) => {
      const warnings = ['No data for "xx".', ...(index % 2 ? ['The page was turned.'] : [])];
      return page(index + 1, from, { kind: 'ok' }, `text ${index}`, { warnings });
    });
    const { warnings } = concluded(pages, { documentPages: 50 });
    expect(warnings).toHaveLength(42);
    expect(warnings.slice(-2)).toEqual([
      '30 more pages (21-50): No data for "xx".',
      '5 more pages (42,44,46,48,50): The page was turned.',
    ]);
  });
});
