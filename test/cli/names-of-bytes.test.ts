import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { makePdf } from '../house/pdf.ts';
import { picture } from '../house/pictures.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { COMMAND, RouterCommand } from './command.ts';

const house = await sharedHouse();
const folder = await mkdtemp(join(tmpdir(), 'ocr-bytes-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const WISH = ['--engine', 'reader', '--yes', '--json'];

/** A path within a folder, with bytes as in Latin-1. */
function at(path: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${path}/`), Buffer.from(name, 'latin1')]);
}

/** A folder whose documents have names that are no UTF-8, as those of old archives are. */
async function open() {
  const account = await house.account();
  const path = await mkdtemp(join(folder, 'path-'));
  await mkdir(at(path, 'd\xe9p\xf4t'));
  await writeFile(at(path, 'caf\xe9.png'), await picture({ width: 301 }));
  await writeFile(at(path, 'd\xe9p\xf4t/\xe9t\xe9.png'), await picture({ width: 302 }));
  await writeFile(at(path, 'é.png'.normalize('NFC')), await picture({ width: 303 }));
  const command = new RouterCommand(house, path);
  /** Runs the command by a shell, which hands on the bytes of names as they are; Node writes them as UTF-8. */
  const shell = async (line: string) => {
    const env = { ...process.env, OCR_ROUTER_URL: house.product.url, OCR_ROUTER_API_KEY: account.apiKey };
    const child = spawn('sh', ['-c', line, process.execPath, COMMAND, ...WISH], { env, cwd: path });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode, output, errors };
  };
  return { path, run: (name: string, ...more: string[]) => command.run(account, name, ...WISH, ...more), shell };
}

async function namesIn(path: string | Buffer): Promise<string[]> {
  const names = await readdir(path, { encoding: 'buffer' });
  return names.map((name) => name.toString('latin1')).toSorted();
}

describe.skipIf(process.platform !== 'linux')('names that are no UTF-8', () => {
  it('are read, with those in folders of such names, and their outputs stand beside them', async () => {
    const { path, run } = await open();
    const { code, output, errors } = await run('read', '.', '--recursive', '--format', 'txt,json');
    expect([code, errors]).toEqual([0, expect.stringContaining('caf\\xe9.png: succeeded')]);
    expect(errors).toContain('d\\xe9p\\xf4t/\\xe9t\\xe9.png: succeeded');
    expect(await readFile(at(path, 'd\xe9p\xf4t/\xe9t\xe9.txt'), 'utf8')).toBe('read by reader\n');
    expect(await namesIn(path)).toEqual(expect.arrayContaining(['caf\xe9.ocr.json', 'caf\xe9.png', 'caf\xe9.txt']));
    const { read, outcomes } = JSON.parse(output);
    expect(read).toBe(3);
    expect(outcomes.map(({ file }: { file: string }) => file)).toContain('caf\udce9.png');
  });

  it('are known in the journal', async () => {
    const { run } = await open();
    expect((await run('read', '.', '--recursive')).code).toBe(0);
    const again = await run('read', '.', '--recursive', '--resume');
    expect([again.code, JSON.parse(again.output)]).toMatchObject([0, { read: 0, already_done: 3, refused: 0 }]);
    const anew = await run('read', '.', '--recursive');
    expect([anew.code, JSON.parse(anew.output)]).toMatchObject([0, { read: 3, cost_usd: 0 }]);
  });

  it('have their outputs below --out, those among them that the gateway makes of the document', async () => {
    const { path, run } = await open();
    await writeFile(at(path, 'd\xe9p\xf4t/\xfc.pdf'), makePdf([{ text: 'Invoice 0042' }]));
    const before = await namesIn(path);
    const { errors } = await run('read', '.', '--recursive', '--out', 'texts', '--pdf', '--engine', 'pdf-text');
    expect(errors).toContain('d\\xe9p\\xf4t/\\xfc.pdf: succeeded');
    expect(await namesIn(at(path, 'texts/d\xe9p\xf4t'))).toEqual(['\xfc.ocr.pdf', '\xfc.txt']);
    expect(await namesIn(path)).toEqual([...before, 'texts'].toSorted());
  });

  it('may be named on the command line, of documents and folders', async () => {
    const { path, shell } = await open();
    const one = await shell('exec "$0" "$1" read caf*.png "$2" "$3" "$4" "$5"');
    expect([one.code, JSON.parse(one.output)]).toMatchObject([0, { read: 1 }]);
    const two = await shell('cd d*; exec "$0" "$1" read "$PWD" --out "$PWD/t$(printf "\\351")xt" "$2" "$3" "$4" "$5"');
    expect([two.code, JSON.parse(two.output)]).toMatchObject([0, { read: 1 }]);
    expect(await namesIn(at(path, 'd\xe9p\xf4t/t\xe9xt'))).toEqual(['.ocr-router.jsonl', '\xe9t\xe9.txt']);
  });

  it('are told in a plan', async () => {
    const { run } = await open();
    const { output } = await run('read', '.', '--dry-run');
    expect(JSON.parse(output).documents).toHaveLength(2);
  });
});
