/** Who plays in the demo. Names and figures are invented; no such engine or company is meant. */

/** What an engine of the demo may take for one call. */
export const TIMEOUT_MS = 45_000;

interface DemoKey {
  readonly label: string;
  readonly weight: number;
  readonly revoked?: true;
}

export interface DemoAccount {
  readonly email: string;
  readonly tier: 'free' | 'pro' | 'scale';
  readonly history: boolean;
  /** Its share of the traffic. */
  readonly weight: number;
  /** Credit that it buys every week; what it begins with, where it never buys again. */
  readonly weeklyUsd: number;
  readonly buysOnce?: true;
  readonly keys: readonly DemoKey[];
  /** Where its asynchronous requests are announced; null when it polls. */
  readonly hook: string | null;
  readonly asyncShare: number;
}

export const ACCOUNTS: readonly DemoAccount[] = [
  {
    email: 'archive@northwind.demo.invalid',
    tier: 'scale',
    history: true,
    weight: 46,
    weeklyUsd: 40,
    keys: [
      { label: 'ingest', weight: 7 },
      { label: 'backfill', weight: 3 },
      { label: 'old ingest', weight: 0, revoked: true },
    ],
    hook: 'https://hooks.northwind.demo.invalid/ocr',
    asyncShare: 0.6,
  },
  {
    email: 'platform@atlas-claims.demo.invalid',
    tier: 'pro',
    history: false,
    weight: 28,
    weeklyUsd: 30,
    keys: [
      { label: 'claims production', weight: 8 },
      { label: 'claims staging', weight: 1 },
    ],
    hook: 'https://claims.atlas.demo.invalid/webhooks/ocr',
    asyncShare: 0.35,
  },
  {
    email: 'dev@lumen-legal.demo.invalid',
    tier: 'pro',
    history: true,
    weight: 19,
    weeklyUsd: 20,
    keys: [{ label: 'contracts', weight: 1 }],
    hook: null,
    asyncShare: 0.1,
  },
  {
    email: 'hello@fieldnotes.demo.invalid',
    tier: 'free',
    history: true,
    weight: 3,
    weeklyUsd: 4.4,
    buysOnce: true,
    keys: [{ label: 'app', weight: 1 }],
    hook: null,
    asyncShare: 0,
  },
];

/** One engine as `ENGINES_FILE` spells it. */
interface EngineEntry {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly adapter: string;
  readonly model: string;
  readonly price_per_page_usd: number;
  readonly provider_cost_per_page_usd: number;
  readonly max_pages_per_request: number;
  readonly native_pdf: boolean;
  readonly timeout_ms: number;
  readonly strengths: readonly string[];
}

export interface DemoEngine {
  readonly id: string;
  readonly weight: number;
  /** Nano-USD. */
  readonly pricePerPage: number;
  /** What the provider takes for a page that came to nothing. */
  readonly providerCost: number;
  readonly medianMs: number;
  readonly spread: number;
  /** Share of runs that fail on the engine's side, and of those that it refuses or truncates. */
  readonly faults: number;
  readonly refusals: number;
  readonly truncations: number;
  readonly readsConfidence: boolean;
  /** What the catalogue shows; null for an engine that is built in. */
  readonly entry: EngineEntry | null;
}

const built = { readsConfidence: true, entry: null, providerCost: 0, refusals: 0, truncations: 0 } as const;

export const ENGINES: readonly DemoEngine[] = [
  { ...built, id: 'tesseract', weight: 30, pricePerPage: 1_000_000, medianMs: 1150, spread: 0.45, faults: 0.002 },
  { ...built, id: 'pdf-text', weight: 16, pricePerPage: 200_000, medianMs: 38, spread: 0.5, faults: 0.0005 },
  hosted('aurora', 'Aurora OCR', {
    ...{ weight: 22, price: 0.0035, cost: 0.0015, medianMs: 640, spread: 0.35 },
    ...{ faults: 0.004, refusals: 0, truncations: 0, nativePdf: false, strengths: ['printed_text', 'speed'] },
  }),
  hosted('borealis', 'Borealis Vision', {
    ...{ weight: 12, price: 0.018, cost: 0.011, medianMs: 6200, spread: 0.5 },
    ...{ faults: 0.009, refusals: 0.05, truncations: 0.03, nativePdf: false, strengths: ['handwriting', 'tables'] },
  }),
  hosted('cumulus', 'Cumulus Layout', {
    ...{ weight: 12, price: 0.01, cost: 0.0065, medianMs: 2300, spread: 0.4 },
    ...{ faults: 0.005, refusals: 0, truncations: 0, nativePdf: true, strengths: ['tables', 'forms'] },
  }),
  hosted('ember', 'Ember Lite', {
    ...{ weight: 8, price: 0.0045, cost: 0.002, medianMs: 3100, spread: 0.75 },
    ...{ faults: 0.17, refusals: 0.05, truncations: 0.03, nativePdf: false, strengths: ['multilingual'] },
  }),
];

interface Hosted {
  readonly weight: number;
  readonly price: number;
  readonly cost: number;
  readonly medianMs: number;
  readonly spread: number;
  readonly faults: number;
  readonly refusals: number;
  readonly truncations: number;
  readonly nativePdf: boolean;
  readonly strengths: string[];
}

function hosted(name: string, title: string, { price, cost, nativePdf, strengths, ...profile }: Hosted): DemoEngine {
  const id = `demo-${name}`;
  return {
    ...profile,
    id,
    pricePerPage: Math.round(price * 1e9),
    providerCost: Math.round(cost * 1e9),
    readsConfidence: name === 'aurora' || name === 'cumulus',
    entry: {
      id,
      name: `${title} (demo)`,
      provider: `${name}.demo.invalid`,
      adapter: 'openai',
      model: `${name}-demo`,
      price_per_page_usd: price,
      provider_cost_per_page_usd: cost,
      max_pages_per_request: nativePdf ? 50 : 20,
      native_pdf: nativePdf,
      timeout_ms: TIMEOUT_MS,
      strengths,
    },
  };
}
