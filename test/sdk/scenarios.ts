import { join } from 'node:path';
import { OcrError, OcrRouter, type ReadOptions } from '@ocr-router/client';

/** A call of a client and what comes of it: the same file for every language. */
export interface Scenario {
  readonly name: string;
  readonly call: 'read' | 'estimate' | 'engines';
  readonly document?: string;
  readonly options?: ReadOptions;
  readonly allPages?: boolean;
  /** Which way to the gateway: as it is, or one that fails first. */
  readonly through?: 'busy' | 'broken';
  readonly expect?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly status: number };
  readonly costs?: number;
}

export interface Outcome {
  readonly name: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly status: number };
  readonly costs: number;
}

export interface Site {
  readonly urls: Readonly<Record<'direct' | 'busy' | 'broken', string>>;
  readonly apiKey: string;
  readonly folder: string;
}

/** Runs a scenario with the TypeScript client. */
export async function runScenario(scenario: Scenario, { urls, apiKey, folder }: Site): Promise<Outcome> {
  const client = new OcrRouter({ url: urls[scenario.through ?? 'direct'], apiKey });
  const before = (await client.usage()).total_spent_usd;
  const answer = await call(client, scenario, folder).then(
    (result) => ({ result }),
    (error: unknown) => {
      if (!(error instanceof OcrError)) throw error;
      return { error: { code: error.code, status: error.status } };
    },
  );
  const costs = Number(((await client.usage()).total_spent_usd - before).toFixed(9));
  return { name: scenario.name, ...answer, costs };
}

function call(client: OcrRouter, scenario: Scenario, folder: string): Promise<unknown> {
  if (scenario.call === 'engines') return client.engines();
  const options = { ...scenario.options, allPages: scenario.allPages ?? false };
  return client[scenario.call](join(folder, scenario.document ?? ''), options);
}
