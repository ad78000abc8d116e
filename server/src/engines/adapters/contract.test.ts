import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../model/engine.ts';
import { missingSetting } from '../model/missing-setting.ts';
import { ADAPTERS } from './registry.ts';
import { WIRES } from './wires/find-wires.ts';
import { type Behaviour, ScriptedProvider } from './wires/scripted-provider.ts';
import { KEY, TEXT, type Wire, type WireAnswer, type WireCase, type WireScript } from './wires/wire-type.ts';

/** They call nobody; their own tests drive them. */
const WITHOUT_PROVIDER = ['tesseract', 'pdf-text'];

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

it('lists the adapter of every folder, by the name of the folder', () => {
  const folders = readdirSync(import.meta.dirname).filter((name) =>
    existsSync(join(import.meta.dirname, name, 'adapter.ts')),
  );
  expect(ADAPTERS.map(({ name }) => name).sort()).toEqual(folders.sort());
});

it('is asked for what it can do, never for its name', () => {
  const source = join(import.meta.dirname, '../..');
  const asking = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\badapter(?:\.name)? [!=]== ['"]/.test(readFileSync(join(source, file), 'utf8')));
  expect(asking).toEqual([]);
});

it('drives every adapter that has a provider', () => {
  const driven = WIRES.map((wire) => wire.adapter.name);
  const known = ADAPTERS.map((adapter) => adapter.name).filter((name) => !WITHOUT_PROVIDER.includes(name));
  expect(driven.sort()).toEqual(known.sort());
});

describe.each(WIRES.filter(({ positions }) => positions).map((wire) => [wire.adapter.name, wire] as const))(
  '%s, asked where the text stands',
  (_name, wire) => {
    const sized = { ...PICTURE, picture: { ...PICTURE.picture, width: 200, height: 100 } };
    const read = async (positions: boolean) => {
      provider.script(wire.positions as Behaviour); // they were chosen by it
      const adapter = await open(wire, provider.origin);
      const settings = { ...settingsFor(wire), ...(positions && { positions: true }) };
      return (await adapter.read(sized, settings, new AbortController().signal)).pages[0];
    };

    it('tells of each line and word where it stands', async () => {
      const page = await read(true);
      expect(page?.text.trim()).toBe(TEXT);
      const { width = 0, height = 0, lines = [], granularity } = page?.layout ?? {};
      const fractions = (box: readonly number[] = []) => box.map((value, i) => value / (i % 2 === 0 ? width : height));
      const near = (box: readonly number[], wanted: readonly number[]) =>
        box.length === 8 && wanted.every((value, i) => Math.abs(value - (box[i] ?? 9)) < 0.001);
      expect(lines.map(({ text }) => text)).toEqual([TEXT]);
      expect(near(fractions(lines[0]?.box), [0.1, 0.1, 0.8, 0.1, 0.8, 0.2, 0.1, 0.2])).toBe(true);
      const [first, second] = lines[0]?.words ?? [];
      if (granularity !== 'word' && !first) return; // the provider tells lines or blocks alone
      expect([first?.text, second?.text]).toEqual([TEXT.slice(0, 5), TEXT.slice(6)]);
      expect(near(fractions(second?.box), [0.4, 0.1, 0.8, 0.1, 0.8, 0.2, 0.4, 0.2])).toBe(true);
      expect(second?.confidence).toBeGreaterThan(0.8);
    });

    it('tells nothing of it where that is not asked for', async () => {
      expect(await read(false)).not.toHaveProperty('layout');
    });
  },
);

describe.each(WIRES.filter(({ tables }) => tables).map((wire) => [wire.adapter.name, wire] as const))(
  '%s, asked for tables',
  (_name, wire) => {
    const read = async (asked: Partial<EngineSettings>) => {
      provider.script(wire.tables as Behaviour); // they were chosen by it
      const adapter = await open(wire, provider.origin);
      const settings = { ...settingsFor(wire), ...asked };
      return (await adapter.read(PICTURE, settings, new AbortController().signal)).pages[0]?.layout;
    };

    it('tells their cells and where they stand, and no lines', async () => {
      const { width = 0, height = 0, granularity, lines, tables = [] } = (await read({ tables: true })) ?? {};
      expect([granularity, lines, tables.length]).toEqual(['none', [], 1]);
      const [table] = tables;
      expect(table).toMatchObject({ rows: 1, columns: 2 });
      const cell = { row: 1, rowSpan: 1, columnSpan: 1, header: true };
      expect(table?.cells).toEqual([
        { ...cell, column: 1, text: 'Total' },
        { ...cell, column: 2, text: '42.00' },
      ]);
      const place = (table?.box ?? []).map((value, i) => Number((value / (i % 2 === 0 ? width : height)).toFixed(3)));
      expect(place).toEqual([0.1, 0.1, 0.8, 0.1, 0.8, 0.2, 0.1, 0.2]);
    });

    it('tells both where both are asked for, and none where none is', async () => {
      const both = await read({ tables: true, positions: true });
      expect([both?.granularity === 'none', both?.lines.length === 0, both?.tables?.length]).toEqual([false, false, 1]);
      expect((await read({ positions: true }))?.tables).toBeUndefined();
      expect(await read({})).toBeUndefined();
    });
  },
);

describe.each(WIRES.map((wire) => [wire.adapter.name, wire] as const))('%s', (_name, wire) => {
  const { local } = wire.adapter;
  const read = async (behaviour: Behaviour, signal = new AbortController().signal) => {
    provider.script(behaviour);
    const adapter = await open(wire, provider.origin);
    const reading = await adapter.read(PICTURE, settingsFor(wire), signal);
    expect(JSON.stringify(reading)).not.toContain(KEY);
    return reading;
  };

  const endings: [WireCase, Partial<Reading['ending']>, billed: Reading['billed']][] = [
    ['ok', { kind: 'ok' }, 'yes'],
    ['truncated', { kind: 'truncated' }, 'yes'],
    ['refused', { kind: 'refused' }, 'yes'],
    ['empty', { kind: 'empty' }, 'yes'],
    ['rateLimited', { kind: 'failed', temporary: true }, 'no'],
    ['serverError', { kind: 'failed', temporary: true }, 'no'],
    ['badCredentials', { kind: 'failed', temporary: false }, 'no'],
    ['unreadable', { kind: 'unreadable' }, 'no'],
    ['noQuota', { kind: 'failed', temporary: false }, 'no'],
    ['filtered', { kind: 'refused' }, wire.filteredBilled ?? 'no'],
    ['proseRefusal', { kind: 'refused' }, 'yes'],
    ['cutBeforeText', { kind: 'truncated' }, 'yes'],
    ['loop', { kind: 'ok' }, 'yes'], // judged where all texts are
    ['noReason', { kind: 'ok' }, 'yes'],
    ['unknownReason', { kind: 'ok' }, 'yes'],
  ];
  // A case that a provider does not have makes no test.
  const has = (name: WireCase) => (wire.answers[name] === null ? () => undefined : it);
  const existing = endings.filter(([name]) => wire.answers[name] !== null);
  it.each(existing)('ends as the case %s says', async (name, ending, billed) => {
    const reading = await read(scriptOf(wire, name));
    expect(reading.ending).toMatchObject(ending);
    if (!local) expect(reading.billed).toBe(billed);
    if (ending.kind !== 'ok' && ending.kind !== 'truncated') expect(reading.pages).toEqual([]);
  });

  it('gives the text, the usage as it came, and what the engine is', async () => {
    const reading = await read(scriptOf(wire, 'ok'));
    expect(reading.pages).toMatchObject([{ number: 3, source: 'engine' }]);
    expect(reading.pages[0]?.text.trim()).toBe(TEXT);
    if (wire.usage) expect(reading.usage).toMatchObject({ ...wire.usage, raw: expect.anything() });
    expect(reading.warnings).toEqual([]);
  });

  has('truncated')('keeps what there is of a truncated text', async () => {
    const reading = await read(scriptOf(wire, 'truncated'));
    expect(TEXT.startsWith(reading.pages[0]?.text.trim() || '-')).toBe(true);
  });

  has('unknownReason')('keeps a text that ends for an unknown reason, and says so', async () => {
    const reading = await read(scriptOf(wire, 'unknownReason'));
    expect(reading.pages[0]?.text.trim()).toBe(TEXT);
    expect(reading.warnings.join()).toMatch(/unknown reason for ending: "(?:tired|TIRED)"/);
  });

  has('noReason')('takes a text without a reason for ending as it is', async () => {
    expect(await read(scriptOf(wire, 'noReason'))).toMatchObject({ pages: [{ text: TEXT }], warnings: [] });
  });

  const garbage: [string, (text: string) => string][] = [
    ['a page of HTML', () => '<html><body>Welcome</body></html>'],
    ['JSON that breaks off', (text) => text.slice(0, text.length / 2)],
    ['nothing', () => ''],
    ['JSON of another shape', () => '{"hello":"world"}'],
    ['null', () => 'null'],
  ];
  it.each(garbage)('takes %s for a failure whose billing nobody knows', async (_what, spoil) => {
    const reading = await read(spoiled(scriptOf(wire, 'ok'), spoil));
    expect(reading).toMatchObject({ ending: { kind: 'failed' }, pages: [] });
    if (!local) expect(reading.billed).toBe('unknown');
  });

  it('takes an answer that breaks off for a failure whose billing nobody knows', async () => {
    const reading = await read({
      handle: (res) => void res.writeHead(200, { 'content-length': '1000' }).write('{"a', () => res.destroy()),
    });
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: true }, pages: [] });
    if (!local) expect(reading.billed).toBe('unknown');
  });

  it('takes a closed door for a failure that nobody bills', async () => {
    const gone = await ScriptedProvider.start();
    const { origin } = gone;
    await gone[Symbol.asyncDispose]();
    const adapter = await open(wire, origin);
    const reading = await adapter.read(PICTURE, settingsFor(wire), new AbortController().signal);
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: true, httpStatus: null }, billed: 'no' });
  });

  it('does not follow a redirect', async () => {
    const reading = await read({ status: 307, headers: { location: '/elsewhere' }, body: '' });
    expect(reading.ending).toMatchObject({ kind: 'failed', temporary: false });
    expect(provider.calls).toHaveLength(1);
  });

  it.each(['before its headers', 'within its body'])(
    'closes the connection when it is stopped %s, and throws the reason',
    async (when) => {
      const stop = new AbortController();
      const reason = new Error('time is over');
      const hang: Behaviour = {
        handle(res) {
          if (when === 'before its headers') stop.abort(reason);
          else res.writeHead(200).write('{', () => stop.abort(reason));
        },
      };
      await expect(read(hang, stop.signal)).rejects.toBe(reason);
      await expect.poll(() => provider.broken).toBe(1);
    },
  );

  it('calls nobody when it is stopped before', async () => {
    const reason = new Error('too late');
    await expect(read(scriptOf(wire, 'ok'), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(provider.calls).toEqual([]);
  });

  it('says what is missing when nothing is configured', () => {
    const nothing = { baseUrl: null, apiKey: null, model: null, region: null };
    expect(missingSetting(wire.adapter, nothing)).toMatch(/ is missing$/);
    expect(
      missingSetting(wire.adapter, { ...nothing, apiKey: KEY, baseUrl: provider.origin, ...wire.engine }),
    ).toBeNull();
  });
});

async function open(wire: Wire, origin: string): Promise<Adapter> {
  const { adapter, basePath, engine } = wire;
  const configured = { id: 'x', adapter: adapter.name, baseUrl: `${origin}${basePath}`, apiKey: KEY, ...engine };
  return adapter.open(configured as Engine, { http } as unknown as AdapterTools); // all that these adapters look at
}

function settingsFor({ adapter }: Wire): EngineSettings {
  const words = { prompt: 'English', list: ['en'], 'bcp-47': ['en'], 'three-letter': ['eng'] } as const;
  return { language: 'en', languageNative: words[adapter.languageFamily], dpi: null, detectTables: false, native: {} };
}

function scriptOf(wire: Wire, name: WireCase): WireScript {
  const script = wire.answers[name];
  if (!script) throw new Error(`${wire.adapter.name} has no case ${name}`);
  return script;
}

/** The script with the body of its last answer spoiled; steps on the way to it (a 202) stay. */
function spoiled(script: WireScript, spoil: (text: string) => string): WireScript {
  const last = (answer: WireAnswer): WireAnswer =>
    answer.status === 200 ? { ...answer, body: spoil(JSON.stringify(answer.body)) } : answer;
  return typeof script === 'function' ? (call) => last(script(call)) : last(script);
}
