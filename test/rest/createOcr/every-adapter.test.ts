import { afterAll, describe, expect, it } from 'vitest';
import { WIRES } from '../../../server/src/engines/adapters/wires/find-wires.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import { KEY, TEXT, type Wire, type WireCase } from '../../../server/src/engines/adapters/wires/wire-type.ts';
import { expectBalance } from '../../house/expect-money.ts';
import { openHouse } from '../../house/house.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { wiredEngine } from '../../house/wired-engine.ts';
import { wordsOf } from '../../house/word-boxes.ts';

const providers = new Map<Wire, ScriptedProvider>();
for (const wire of WIRES) providers.set(wire, await ScriptedProvider.start());
const vision = WIRES.find(({ adapter }) => adapter.name === 'google-vision') as Wire;
const house = await openHouse({
  engines: {
    ...Object.fromEntries(WIRES.map((wire) => [wire.adapter.name, entryOf(wire)])),
    'whole-pdf': { ...entryOf(vision), native_pdf: true },
  },
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

describe('where a page’s text stands of a PDF that its provider reads as it is', () => {
  type Box = readonly [left: number, top: number, right: number, bottom: number];

  /** Of a page that lies in the file and is shown turned, 400 by 500: it is read as 400 by 500, as 500 by 400, or otherwise. */
  async function readAs(width: number, height: number, ...boxes: readonly Box[]) {
    const words = boxes.map(([left, top, right, bottom]) => {
      const corners = [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ];
      return { boundingBox: { normalizedVertices: corners }, symbols: [{ text: 'fox' }] };
    });
    const fullTextAnnotation = { text: 'fox', pages: [{ width, height, blocks: [{ paragraphs: [{ words }] }] }] };
    const responses = [{ responses: [{ fullTextAnnotation, context: { pageNumber: 1 } }] }];
    providers.get(vision)?.script({ status: 200, body: { responses } });
    const { caller } = await house.account();
    const pdf = makePdf([{ size: [500, 400], rotate: 90, text: 'fox' }]);
    const { status, body, text } = await caller.ocr(ocrBody('whole-pdf', pdf, { include: ['words'] }));
    expect([status, body.page_results?.length], text).toEqual([200, 1]);
    const [page] = body.page_results ?? [];
    expect(page).toMatchObject({ width: 400, height: 500, unit: 'point' });
    return { page, polygon: page?.lines?.[0]?.polygon, warnings: body.warnings };
  }

  it('is where it is told, of the page as it is shown', async () => {
    const { polygon, warnings } = await readAs(400, 500, [0.25, 0.5, 0.75, 0.625]);
    expect([polygon, warnings]).toEqual([[0.25, 0.5, 0.75, 0.5, 0.75, 0.625, 0.25, 0.625], undefined]);
  });

  it('is turned with a page that was read as it lies in the file', async () => {
    const { page, polygon, warnings } = await readAs(500, 400, [0.25, 0.5, 0.75, 0.625]);
    expect([polygon, warnings]).toEqual([[0.5, 0.25, 0.5, 0.75, 0.375, 0.75, 0.375, 0.25], undefined]);
    expect(page?.text_angle).toBe(270);
  });

  it('is left out of a page that is not the one that is shown, and said so', async () => {
    const { page, warnings } = await readAs(500, 500, [0.25, 0.5, 0.75, 0.625]);
    expect([page?.positions, page?.text]).toEqual(['none', 'fox']);
    expect(warnings).toEqual(["Page 1: the engine's positions do not fit the page and were left out."]);
  });

  it('is left out where it is off the page, and said of how many', async () => {
    const onPage = Array.from({ length: 20 }, (_, i): Box => [0.1, i / 25, 0.2, i / 25 + 0.02]);
    const { page, warnings } = await readAs(400, 500, ...onPage, [1.1, 0.1, 1.2, 0.2]);
    expect(page && wordsOf(page)).toHaveLength(20);
    expect(warnings).toEqual(['1 of the engine’s positions is off the page and was left out.']);
  });
});

function script(wire: Wire, name: WireCase): void {
  const answer = wire.answers[name];
  if (answer) providers.get(wire)?.script(answer);
}

function entryOf(wire: Wire) {
  return wiredEngine(wire, providers.get(wire)?.origin ?? '');
}
