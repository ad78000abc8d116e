import { describe, expect, it } from 'vitest';
import type { Engine, Reading } from '../../engines/model/engine.ts';
import { CostCap } from './cost-cap.ts';

const RATES = { inputPerMillion: 1_000_000n, outputPerMillion: 1_000_000n }; // a nano-dollar a token
const engine = {
  pricePerPage: 0n,
  tokenPrices: RATES,
  providerCostPerPage: null,
  mostPageTokens: { input: 60, output: 40 },
} as unknown as Engine;
const NEVER = new AbortController().signal;

function used(tokens: number, ending: Reading['ending'] = { kind: 'ok' }): Reading {
  const usage = { inputTokens: tokens, outputTokens: 0, pages: null, raw: null };
  const rest = { pages: [], providerRequestId: null, modelVersion: null, warnings: [] };
  return { ending, usage, billed: 'yes', ...rest };
}

describe('CostCap', () => {
  it('begins pages while the worst cost of one more fits', async () => {
    const cap = new CostCap(250n);
    expect(await cap.begin(engine, NEVER)).toBe(true);
    cap.ended(engine, used(90));
    expect(await cap.begin(engine, NEVER)).toBe(true);
    cap.ended(engine, used(70)); // 160 of 250 are gone
    expect(await cap.begin(engine, NEVER)).toBe(false);
  });

  it('waits for pages at work, which may turn out cheaper', async () => {
    const cap = new CostCap(150n);
    expect(await cap.begin(engine, NEVER)).toBe(true);
    const [second, third] = [cap.begin(engine, NEVER), cap.begin(engine, NEVER)];
    cap.ended(engine, used(20));
    expect(await second).toBe(true);
    cap.ended(engine, used(90));
    expect(await third).toBe(false);
  });

  it('gives back all of a page without a call, and nothing where the cost is not known', async () => {
    const cap = new CostCap(199n);
    await cap.begin(engine, NEVER);
    cap.ended(engine, null);
    expect(await cap.begin(engine, NEVER)).toBe(true);
    cap.ended(engine, { ...used(0), usage: null });
    expect(await cap.begin(engine, NEVER)).toBe(false);
  });

  it('knows pages that were read in an earlier run', async () => {
    const cap = new CostCap(150n);
    cap.spent(engine, used(60));
    expect(await cap.begin(engine, NEVER)).toBe(false);
  });

  it('does not wait when the request has ended', async () => {
    const cap = new CostCap(100n);
    await cap.begin(engine, NEVER);
    const over = new AbortController();
    const waiting = cap.begin(engine, over.signal);
    over.abort(new Error('time is over'));
    await expect(waiting).rejects.toThrow('time is over');
  });
});
