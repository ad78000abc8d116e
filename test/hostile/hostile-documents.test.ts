import { afterAll, expect, it } from 'vitest';
import { unreadableDocuments } from '../house/broken-documents.ts';
import { expectBalance } from '../house/expect-money.ts';
import { openOwnHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { outputOf } from '../house/output.ts';
import { makePdf } from '../house/pdf.ts';
import { picture, pictureAs } from '../house/pictures.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { runSql } from '../house/sql.ts';
import { makeTiff } from '../house/tiff.ts';

const house = await openOwnHouse();
const { caller } = await house.account({ credit: 100 });
afterAll(() => house[Symbol.asyncDispose]());

const rewritten = (pdf: Buffer, from: RegExp, to: string) =>
  Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');
const pdf = makePdf([{ text: 'one' }, { text: 'two' }]);

const HOSTILE: [string, Buffer][] = [
  [
    'a TIFF whose last page leads back to the first',
    makeTiff(
      [
        [40, 30],
        [40, 30],
      ],
      { circular: true },
    ),
  ],
  ['a PDF that counts a billion pages', makePdf([{ text: 'one' }], { count: 1_000_000_000 })],
  ['a PDF that counts minus one page', makePdf([{ text: 'one' }], { count: -1 })],
  ['a PDF whose page tree contains itself', rewritten(pdf, /\/Kids \[[^\]]*\]/, '/Kids [3 0 R 3 0 R]')],
  ['a PDF page of astronomical size', rewritten(pdf, /\/MediaBox \[0 0 \d+ \d+\]/, '/MediaBox [0 0 9e9 9e9]')],
  ['a PDF page of no size', rewritten(pdf, /\/MediaBox \[0 0 \d+ \d+\]/, '/MediaBox [0 0 0 0]')],
  [
    'a PDF with a deep nest of arrays',
    rewritten(pdf, /\/Contents/, `/Nest ${'['.repeat(20_000)}${']'.repeat(20_000)} /Contents`),
  ],
];

it.each(HOSTILE)('%s is read or refused, in the end', async (_name, document) => {
  const { status, body } = await caller.ocr(ocrBody('reader', document, { page_count: 3 }));
  expect([200, 202, 422], JSON.stringify(body)).toContain(status);
  expect(house.product.running).toBe(true);
});

it('200 documents with damaged bytes: never a 5xx, and the service stays as large as it was', async () => {
  const random = new SeededRandom(7);
  const whole = [
    await picture({ width: 300, height: 200 }),
    await pictureAs('jpeg', { width: 300, height: 200 }),
    await pictureAs('webp'),
    await pictureAs('gif'),
    makeTiff([
      [60, 40],
      [30, 20],
    ]),
    pdf,
  ];
  let before: number | null = null;
  for (let n = 0; n < 200; n++) {
    if (n === 60) before = await house.product.residentMb();
    const damaged = Buffer.from(random.pick(whole));
    for (let times = 1 + random.below(6); times > 0; times--) damaged[random.below(damaged.length)] = random.below(256);
    const { status, text } = await caller.ocr(ocrBody('reader', damaged, { settings: { dpi: 72 } }));
    expect([200, 202, 422], `document ${n}: ${text.slice(0, 300)}`).toContain(status);
  }
  const after = await house.product.residentMb();
  if (before === null || after === null) return; // no /proc on this system: nothing to compare
  expect(after).toBeLessThan(before + 250);
});

it('as searchable PDFs all of them end as a file or a refusal, and the next one is made', async () => {
  const own = makePdf([{ content: '0 g 100 300 200 200 re f', text: 'fox' }]);
  const { body } = await caller.ocr(ocrBody('pdf-text', own, { include: ['words'] }));
  const requestId = body.request_id;
  const query = 'format=pdf&text_layer=all';
  // As a request of a version that did not know its document: any one is taken for it.
  const forget = `update ocr_request set fingerprint = null, pages_total = null where id = '${requestId}'`;
  expect(await runSql(house.databaseUrl, forget)).toBe(1);
  const random = new SeededRandom(11);
  const damaged = (whole: Buffer): Buffer => {
    const copy = Buffer.from(whole);
    for (let times = 1 + random.below(6); times > 0; times--) copy[random.below(copy.length)] = random.below(256);
    return copy;
  };
  const scan = await pictureAs('jpeg', { width: 300, height: 200 });
  const scanned = makePdf([{ picture: { jpeg: scan, width: 300, height: 200 } }]);
  const wholes = [own, scanned, scan, await picture()];
  const documents: [string, Buffer][] = [
    ...HOSTILE,
    ...Object.entries(await unreadableDocuments()),
    ...Array.from({ length: 12 }, (_, n): [string, Buffer] => [`damaged ${n}`, damaged(random.pick(wholes))]),
  ];
  const ways = new Set<string | undefined>();
  for (const [name, document] of documents) {
    const { status, headers, bytes } = await outputOf(caller, { requestId, document, query });
    expect([200, 422], `${name}: ${bytes.toString('latin1', 0, 300)}`).toContain(status);
    ways.add(headers['x-ocr-output']);
    if (status === 200) expect(bytes.includes('%PDF-'), name).toBe(true);
  }
  expect([...ways].sort()).toEqual(['extended', 'rebuilt', undefined]);
  expect(house.product.running).toBe(true);
  const last = await outputOf(caller, { requestId, document: own, query });
  expect([last.status, last.headers['x-ocr-output'], last.headers['x-ocr-output-pages']]).toEqual([
    200,
    'extended',
    '1',
  ]);
});

it('many unreadable documents at once are refused one by one, and a good one among them is read', async () => {
  const { accountId, caller: another } = await house.account({ credit: 1 });
  const documents = Object.values(await unreadableDocuments());
  const answers = documents.flatMap((document) => [1, 2].map(() => another.ocr(ocrBody('reader', document))));
  const good = another.ocr(await pictureBody());
  for (const { status } of await Promise.all(answers)) expect(status).toBe(422);
  expect((await good).status).toBe(200);
  await expectBalance(house, accountId, 0.99);
});

it('leaves a ledger that adds up', async () => {
  expect(await house.admin.doctor()).toMatchObject({ ok: true });
});
