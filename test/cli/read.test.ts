import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { makeGate } from '../house/gate.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { pdfOfPages } from '../house/page-sizes.ts';
import { picture } from '../house/pictures.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const COMMAND = resolve(import.meta.dirname, '../../cli/dist/main.js');
/** Files of the run that is killed; `FILES=500` makes it a long one. */
const FILES = Number(process.env['FILES'] ?? 60);
const BROKEN = 5;
const KILLS = 5;

const house = await openHouse({ engines: { reader: { concurrency: 4 } } });
const folder = await mkdtemp(join(tmpdir(), 'ocr-cli-'));
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => house.engines.reset());

function start(account: HouseAccount, ...args: string[]): ChildProcess & { stdout: Readable; stderr: Readable } {
  const env = { ...process.env, OCR_ROUTER_URL: house.product.url, OCR_ROUTER_API_KEY: account.apiKey };
  return spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(account: HouseAccount, ...args: string[]) {
  const child = start(account, ...args);
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, output, errors };
}

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
  const { code, errors, output } = await run(account, 'read', path, '--engine', 'reader', '--yes', '--json');
  expect([code, errors]).toEqual([0, expect.stringContaining('3 files, 5 pages, at most 0.05 USD')]);
  expect(JSON.parse(output)).toMatchObject({ read: 3, failed: 0, cost_usd: 0.05 });
  const names = ['.ocr-router.jsonl', 'a.png', 'a.txt', 'b.png', 'b.txt', 'c.pdf', 'c.txt'];
  expect((await readdir(path)).toSorted()).toEqual(names);
  expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('read by reader\n');
});

it('says what it would do, and does nothing', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const { code, errors } = await run(account, 'read', path, '--engine', 'reader', '--dry-run');
  expect([code, errors]).toEqual([0, '3 files, 5 pages, at most 0.05 USD\n']);
  expect((await readdir(path)).toSorted()).toEqual(['a.png', 'b.png', 'c.pdf']);
  const told = await run(account, 'estimate', path, '--engine', 'reader');
  expect(told.output).toContain('3 files, 5 pages, at most 0.05 USD');
  expect(house.engines.calls('reader')).toEqual([]);
});

it('begins nothing that might take the run beyond --max-cost', async () => {
  const account = await house.account();
  const path = await smallFolder();
  const wish = ['--engine', 'reader', '--yes', '--json', '--concurrency', '1', '--max-cost', '0.02'];
  const { code, output } = await run(account, 'read', path, ...wish);
  expect(code).toBe(3);
  expect(JSON.parse(output)).toMatchObject({ read: 2, cost_usd: 0.02, over_budget: 1 });
});

it('writes over no file that is not its own', async () => {
  const account = await house.account();
  const path = await smallFolder();
  await writeFile(join(path, 'a.txt'), 'mine');
  const { code, errors } = await run(account, 'read', path, '--engine', 'reader', '--yes');
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
    const { code, errors, output } = await run(account, 'read', path, ...wish);
    const clash = `${join(path, 'scan.png')}: its outputs would be those of ${join(path, 'scan.pdf')}; `;
    expect([code, errors]).toEqual([1, expect.stringContaining(`${clash}rename one, or read them apart.\n`)]);
    expect(JSON.parse(output)).toMatchObject({ read: 1, refused: 1, cost_usd: 0.02 });
  },
);

it('says which documents failed, and goes on with the others', async () => {
  const account = await house.account();
  const path = await smallFolder();
  await writeFile(join(path, 'broken.png'), 'no picture');
  const { code, errors } = await run(account, 'read', path, '--engine', 'reader', '--yes', '--format', 'txt,json');
  expect(code).toBe(1);
  expect(errors).toMatch(/broken\.png: /);
  expect(JSON.parse(await readFile(join(path, 'c.ocr.json'), 'utf8'))).toMatchObject({ pages: 3, engine: 'reader' });
});

it('a wrong key ends the run with a sentence', async () => {
  const path = await smallFolder();
  const stranger = { ...(await house.account()), apiKey: 'sk-ocr-wrong' };
  const { code, errors } = await run(stranger, 'read', path, '--engine', 'reader', '--yes');
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
  const child = start(account, 'read', path, '--engine', 'reader', '--yes', '--concurrency', '1');
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

it(`${FILES} files with broken ones among them, killed ${KILLS} times: each good one is read and charged once`, async () => {
  const account = await house.account({ credit: 100 });
  const path = await mkdtemp(join(folder, 'many-'));
  for (let n = 0; n < FILES; n++) {
    const name = join(path, `page-${String(n).padStart(4, '0')}.png`);
    await writeFile(name, n % Math.ceil(FILES / BROKEN) === 0 ? `no picture ${n}` : await picture());
  }
  house.engines.script('reader', async () => {
    await sleep(20);
    return says('a page');
  });
  const wish = ['read', path, '--engine', 'reader', '--yes', '--resume', '--concurrency', '4'];
  const texts = async () => (await readdir(path)).filter((name) => name.endsWith('.txt')).length;
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = start(account, ...wish);
    const ended = once(child, 'exit');
    const goal = Math.floor(((FILES - BROKEN) * kill) / (KILLS + 1));
    await until(`${goal} texts`, async () => (await texts()) >= goal || child.exitCode !== null);
    child.kill('SIGKILL');
    await ended;
  }
  const last = await run(account, ...wish, '--json');
  expect(last.code).toBe(1);
  expect(JSON.parse(last.output)).toMatchObject({ failed: 0, refused: BROKEN });
  expect(await texts()).toBe(FILES - BROKEN);
  const rows = await readSql<{ requests: string; charged: string }>(
    house.databaseUrl,
    `select count(*)::text as requests, sum(cost)::text as charged from ocr_request
     where account_id = '${account.accountId}'`,
  );
  expect(rows).toEqual([{ requests: String(FILES - BROKEN), charged: String((FILES - BROKEN) * 10_000_000) }]);
});
