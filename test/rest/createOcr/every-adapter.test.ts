import { afterAll, describe, expect, it } from 'vitest';
import { WIRES } from '../../../server/src/engines/adapters/wires/find-wires.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import { KEY, TEXT, type Wire, type WireCase } from '../../../server/src/engines/adapters/wires/wire-type.ts';
import type { EngineEntry } from '../../../server/src/engines/engines-file.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';

const providers = new Map<Wire, ScriptedProvider>();
for (const wire of WIRES) providers.set(wire, await ScriptedProvider.start());
const house = await openHouse({
  engines: Object.fromEntries(WIRES.map((wire) => [wire.adapter.name, entryOf(wire)])),
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  for (const provider of providers.values()) await provider[Symbol.asyncDispose]();
});

/** What a caller sees of each case: the code, the status, and how much of 1 USD is left (of 0.996 the provider took 0.004). */
const SEEN: [name: WireCase, code: number, status: string | undefined, left: number][] = [
  ['ok', 200, 'succeeded', 0.99],
  ['truncated', 200, 'partial', 0.996],
  ['refused', 202, 'refunded', 0.996],
  ['empty', 202, 'refunded', 0.996],
  ['rateLimited', 502, undefined, 1],
  ['serverError', 502, undefined, 1],
  ['badCredentials', 502, undefined, 1],
  ['unreadable', 422, undefined, 1],
];

describe.each(WIRES.map((wire) => [wire.adapter.name, wire] as const))('through %s', (engine, wire) => {
  const existing = SEEN.filter(([name]) => wire.answers[name] !== null);
  it.each(existing)('the case %s is %i for the caller', async (name, code, status, left) => {
    const { accountId, caller } = await house.account({ credit: 1 });
    script(wire, name);
    const answer = await caller.ocr(await pictureBody(engine));
    expect([answer.status, answer.body.status]).toEqual([code, status]);
    if (status === 'succeeded') expect(answer.body).toMatchObject({ extracted_text: TEXT, engine, pages: 1 });
    else expect(answer.body.extracted_text ?? null).toBeNull();
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.text).not.toContain(KEY);
    await expectBalance(house, accountId, wire.adapter.local && status !== 'succeeded' ? 1 : left);
  });
});

function script(wire: Wire, name: WireCase): void {
  const answer = wire.answers[name];
  if (answer) providers.get(wire)?.script(answer);
}

function entryOf(wire: Wire): Partial<EngineEntry> {
  const { model, region, apiKey } = wire.engine;
  return {
    adapter: wire.adapter.name,
    base_url: `${providers.get(wire)?.origin}${wire.basePath}`,
    api_key: apiKey ?? KEY,
    model: model ?? null,
    region: region ?? null,
    probe: false,
  };
}
