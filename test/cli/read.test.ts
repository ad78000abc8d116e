import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { cutsShort, fails, says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { openHouse } from '../house/house.ts';
import { pdfOfPages } from '../house/page-sizes.ts';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { RouterCommand } from './command.ts';

const house = await openHouse({ engines: { reader: { concurrency: 4 } } });
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-cli-'));
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => house.engines.reset());

/** A folder with two pictures and a PDF of three pages. */
async function smallFolder(): Promise<string> {
  const path = await mkdtemp(join(folder, 'small-'));
  await writeFile(join(path, 'a.png'), await picture());
  await writeFile(join(path, 'b.png'), await picture());
  await writeFile(join(path, 'c.pdf'), pdfOfPages(3));
  return path;
}

it('reads a folder: the plan first, then the texts beside the documents', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const { code, errors, output } = await command.run(account, 'read', path, '--engine', 'reader', '--yes', '--json');
  expect([code, errors]).toEqual([0, expect.stringContaining('3 files, 5 pages, at most 0.05 USD')]);
  expect(JSON.parse(output)).toMatchObject({ read: 3, failed: 0, cost_usd: 0.05 });
  const names = ['.ocr-router.jsonl', 'a.png', 'a.txt', 'b.png', 'b.txt', 'c.pdf', 'c.txt'];
  expect((await readdir(path)).toSorted()).toEqual(names);
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('read by reader\n');
});

it('tells the warnings of the gateway', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'warned-'));
  await writeFile(join(path, 'scan.pdf'), makePdf([{ text: 'a page with words' }, { text: '' }]));
  const { errors, output } = await command.run(account, 'read', path, '--engine', 'pdf-text', '--yes', '--json');
  const [{ warnings = [] }] = JSON.parse(output).outcomes;
  expect(warnings).toEqual([expect.stringContaining('2')]);
  expect(errors).toContain(`scan.pdf: warning: ${warnings[0]}\n`);
});

it('says what it would do, and does nothing', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const { code, errors } = await command.run(account, 'read', path, '--engine', 'reader', '--dry-run');
  expect([code, errors]).toEqual([0, '3 files, 5 pages, at most 0.05 USD\n']);
  expect((await readdir(path)).toSorted()).toEqual(['a.png', 'b.png', 'c.pdf']);
  const told = await command.run(account, 'estimate', path, '--engine', 'reader');
  expect(told.output).toContain('3 files, 5 pages, at most 0.05 USD');
  expect(house.engines.calls('reader')).toEqual([]);
});

it('begins nothing that might take the run beyond --max-cost', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const wish = ['--engine', 'reader', '--yes', '--json', '--concurrency', '1', '--max-cost', '0.02'];
  const { code, output } = await command.run(account, 'read', path, ...wish);
  expect(code).toBe(3);
  expect(JSON.parse(output)).toMatchObject({ read: 2, cost_usd: 0.02, over_budget: 1 });
});

it('what an earlier run was charged for is not spent again, neither in the report nor of --max-cost', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const wish = ['--engine', 'reader', '--yes', '--json', '--concurrency', '1'];
  const [a, b] = [join(path, 'a.png'), join(path, 'b.png')];
  expect((await command.run(account, 'read', a, b, ...wish)).code).toBe(0);
  const journal = join(path, '.ocr-router.jsonl');
  const lines = (await readFile(journal, 'utf8')).split('\n');
  await writeFile(journal, lines.filter((line) => !line.includes('"done"')).join('\n')); // killed before it wrote them down
  const { code, output } = await command.run(account, 'read', path, ...wish, '--resume', '--max-cost', '0.03');
  expect([code, JSON.parse(output)]).toMatchObject([0, { read: 3, cost_usd: 0.03, over_budget: 0 }]);
  const again = await command.run(account, 'read', path, ...wish);
  expect(JSON.parse(again.output)).toMatchObject({ read: 3, cost_usd: 0 });
  const resumed = await command.run(account, 'read', path, ...wish, '--resume');
  expect(resumed.errors).toContain('3 files read before, not sent again.\n0 files, 0 pages, at most 0 USD\n');
  expect(await chargesOf(account.accountId)).toEqual({ requests: '3', charged: '50000000' });
});

it('a run that cannot go on says what it has read and was charged for', async () => {
  const account = await house.account({ credit: 0.02 });
  const path = await smallFolder();
  const wish = ['--engine', 'reader', '--yes', '--json', '--concurrency', '1'];
  const { code, errors, output } = await command.run(account, 'read', path, ...wish);
  expect([code, errors]).toEqual([
    2,
    expect.stringMatching(/2 read, 0 failed, 0.02 USD.\nocr-router: The request needs/),
  ]);
  const error = expect.stringContaining('The request needs 0.03 USD');
  expect(JSON.parse(output)).toMatchObject({ read: 2, failed: 0, cost_usd: 0.02, outcomes: [{}, {}], error });
});

it('a run that cannot go on before it has read anything prints its object, too', async () => {
  const account = await house.account({ credit: 0.001 });
  const path = await smallFolder();
  const wish = ['--engine', 'reader', '--yes', '--json'];
  const { code, errors, output } = await command.run(account, 'read', path, ...wish);
  expect([code, errors]).toEqual([2, expect.not.stringContaining('0 read')]);
  expect(JSON.parse(output)).toMatchObject({ read: 0, cost_usd: 0, outcomes: [] });
});

it('writes over no file that is not its own', async () => {
  const account = await house.account();
  const path = await smallFolder();
  await writeFile(join(path, 'a.txt'), 'mine');
  const { code, errors } = await command.run(account, 'read', path, '--engine', 'reader', '--yes');
  expect([code, errors]).toEqual([0, expect.stringContaining('a.txt is there already')]);
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('mine');
});

it.each([{ force: [] }, { force: ['--force'] }])(
  'reads no document over the outputs of another one: $force',
  async ({ force }) => {
    const account = await house.account();
    const path = await mkdtemp(join(folder, 'twins-'));
    await writeFile(join(path, 'scan.pdf'), pdfOfPages(2));
    await writeFile(join(path, 'scan.png'), await picture());
    const wish = ['--engine', 'reader', '--yes', '--json', ...force];
    const { code, errors, output } = await command.run(account, 'read', path, ...wish);
    const clash = `${join(path, 'scan.png')}: its outputs would be those of ${join(path, 'scan.pdf')}; `;
    expect([code, errors]).toEqual([1, expect.stringContaining(`${clash}rename one, or read them apart.\n`)]);
    expect(JSON.parse(output)).toMatchObject({ read: 1, refused: 1, cost_usd: 0.02 });
  },
);

it('says which documents failed, and goes on with the others', async () => {
  const account = await house.account();
  const path = await smallFolder();
  await writeFile(join(path, 'broken.png'), 'no picture');
  const { code, errors } = await command.run(
    account,
    'read',
    path,
    '--engine',
    'reader',
    '--yes',
    '--format',
    'txt,json',
  );
  expect(code).toBe(1);
  expect(errors).toMatch(/broken\.png: /);
  expect(JSON.parse(await readFile(join(path, 'c.ocr.json'), 'utf8'))).toMatchObject({ pages: 3, engine: 'reader' });
});

it('a wrong key ends the run with a sentence', async () => {
  const path = await smallFolder();
  const stranger = { ...(await house.account()), apiKey: 'sk-ocr-wrong' };
  const { code, errors } = await command.run(stranger, 'read', path, '--engine', 'reader', '--yes');
  expect(code).toBe(2);
  expect(errors).toMatch(/OCR_ROUTER_API_KEY/);
});

it('ends after what runs at the first Ctrl-C, and cancels what is read in the background at the second', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'long-'));
  await writeFile(join(path, 'a.pdf'), pdfOfPages(12));
  await writeFile(join(path, 'b.png'), await picture());
  const gate = makeGate();
  house.engines.script('reader', async () => {
    await gate.opened;
    return says('too late');
  });
  const child = command.start(account, 'read', path, '--engine', 'reader', '--yes', '--concurrency', '1');
  const ended = once(child, 'exit');
  await house.engines.called('reader');
  await until('the request is known to the command', async () => {
    const rows = await readSql(
      house.databaseUrl,
      `select 1 from ocr_request where account_id = '${account.accountId}'`,
    );
    return rows.length > 0;
  });
  await sleep(2000); // the command asks for it once a second
  child.kill('SIGINT');
  await sleep(500);
  expect(child.exitCode).toBe(null);
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(130);
  gate.open();
  const rows = await readSql<{ cancelled: boolean }>(
    house.databaseUrl,
    `select cancel_requested_at is not null as cancelled from ocr_request where account_id = '${account.accountId}'`,
  );
  expect(rows).toEqual([{ cancelled: true }]); // of the PDF; the picture was not begun
});

/** How often an account has asked for something to be read, and what that was charged. */
async function chargesOf(accountId: string) {
  const sql = `select count(*)::text as requests, sum(cost)::text as charged from ocr_request where account_id = '${accountId}'`;
  return (await readSql<{ requests: string; charged: string }>(house.databaseUrl, sql))[0];
}

it('writes a searchable PDF, hOCR, ALTO and tables beside the text', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'files-'));
  const invoice = makePdf([{ text: 'Invoice 0042' }, { text: 'Page two' }]);
  await writeFile(join(path, 'invoice.pdf'), invoice);
  const wish = ['read', path, '--engine', 'pdf-text', '--yes', '--pdf', '--format', 'txt,json,hocr,alto,csv'];
  const { code, errors } = await command.run(account, ...wish);
  expect([code, errors]).toEqual([0, expect.stringContaining('1 read, 0 failed')]);
  const outputs = ['alto.xml', 'csv', 'hocr', 'ocr.json', 'ocr.pdf', 'pdf', 'txt'].map((ending) => `invoice.${ending}`);
  expect((await readdir(path)).toSorted()).toEqual(['.ocr-router.jsonl', ...outputs]);
  const written = (name: string) => readFile(join(path, name), 'utf8');
  expect(await written('invoice.txt')).toContain('Invoice 0042');
  expect(await written('invoice.alto.xml')).toContain('CONTENT="0042"');
  expect(await written('invoice.hocr')).toMatch(/class="ocrx_word"[^>]*>0042</);
  expect(await written('invoice.csv')).toBe('');
  expect(JSON.parse(await written('invoice.ocr.json'))).toMatchObject({ page_results: [{ page: 1 }, { page: 2 }] });
  const pdf = await readFile(join(path, 'invoice.ocr.pdf'));
  expect(pdf.subarray(0, invoice.length).equals(invoice)).toBe(true);

  const again = await command.run(account, ...wish); // the searchable PDF is none of the documents
  expect([again.code, again.errors]).toEqual([0, expect.stringContaining('1 file, 2 pages')]);
  expect((await chargesOf(account.accountId))?.requests).toBe('1');
});

it('keeps a text of which no file can be made, says so, and pays for it once', async () => {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'placeless-'));
  await writeFile(join(path, 'a.png'), await picture());
  for (let time = 1; time <= 2; time++) {
    const { code, errors } = await command.run(account, 'read', path, '--engine', 'reader', '--yes', '--pdf');
    expect([code, errors]).toEqual([2, expect.stringContaining('a.png: positions_missing: ')]);
    expect((await readdir(path)).toSorted()).toEqual(['.ocr-router.jsonl', 'a.png', 'a.txt']);
  }
  expect(await chargesOf(account.accountId)).toEqual({ requests: '1', charged: '10000000' });
});

it('writes what was read of a document in part, says what is missing, and pays for it once', async () => {
  const account = await house.account();
  const path = await smallFolder();
  house.engines.script('reader', (_call, nth) => (nth === 2 ? fails(400, 'not this one') : says(`text ${nth}`)));
  const wish = ['read', join(path, 'c.pdf'), '--engine', 'reader', '--yes', '--json', '--format', 'txt,md,json'];
  const first = await command.run(account, ...wish);
  expect([first.code, first.errors]).toEqual([1, expect.stringContaining('1 read (1 of them in part), 0 failed')]);
  expect(first.errors).toMatch(/c\.pdf: partial: 1 of its 3 pages not read, or not to their end: [123]\.\n/);
  expect(JSON.parse(first.output)).toMatchObject({ read: 1, partial: 1, failed: 0, cost_usd: 0.02 });
  const text = await readFile(join(path, 'c.txt'), 'utf8');
  expect(text).toMatch(/^text \d\n\n---\n\ntext \d\n$/);
  expect(await readFile(join(path, 'c.md'), 'utf8')).toBe(text);
  expect(JSON.parse(await readFile(join(path, 'c.ocr.json'), 'utf8'))).toMatchObject({ status: 'partial' });

  const again = await command.run(account, ...wish); // the same key: the same outcome
  expect([again.code, await readFile(join(path, 'c.txt'), 'utf8')]).toEqual([1, text]);
  const resumed = await command.run(account, ...wish, '--resume');
  expect([resumed.code, resumed.errors]).toEqual([1, expect.stringContaining('c.pdf: was read in part before')]);
  expect(JSON.parse(resumed.output)).toMatchObject({ read: 0, already_done: 1, already_partial: 1, cost_usd: 0 });
  expect(resumed.errors).toContain('0 files, 0 pages, at most 0 USD\n'); // it is no part of the plan
  expect(await chargesOf(account.accountId)).toEqual({ requests: '1', charged: '20000000' });
});

it('writes a text that was cut off as far as it goes, also where texts are not kept', async () => {
  house.engines.script('reader', cutsShort('The beginning of a long'));
  for (const history of [true, false]) {
    const account = await house.account({ history });
    const path = await mkdtemp(join(folder, 'cut-'));
    await writeFile(join(path, 'a.png'), await picture());
    const { code, errors } = await command.run(account, 'read', path, '--engine', 'reader', '--yes');
    expect([code, errors]).toEqual([1, expect.stringMatching(/a\.png: partial: /)]);
    expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('The beginning of a long\n');
  }
});
