import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { says } from '../house/engine-answers.ts';
import { picture } from '../house/pictures.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { sharedHouse } from '../house/shared-house.ts';
import { readSql } from '../house/sql.ts';
import { until } from '../house/until.ts';
import { RouterCommand } from './command.ts';

/** `npm run test:folder` makes it a long run. */
const FILES = Number(process.env['FOLDER_FILES'] ?? 25);
const KILLS = Number(process.env['FOLDER_KILLS'] ?? 1);
const SEED = Number(process.env['FOLDER_SEED'] ?? 1);
const PRICE = 10_000_000;

const house = await sharedHouse();
const command = new RouterCommand(house);
const folder = await mkdtemp(join(tmpdir(), 'ocr-killed-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Pictures, and among them files that only pretend to be some, one in ten; gives how many are good. */
async function fill(random: SeededRandom): Promise<number> {
  let good = 0;
  for (let n = 0; n < FILES; n++) {
    const isGood = n === 0 || (n !== 1 && random.below(10) > 0);
    if (isGood) good += 1;
    const name = `page-${String(n).padStart(4, '0')}.png`;
    await writeFile(join(folder, name), isGood ? await picture() : `no picture ${n}`);
  }
  return good;
}

async function countTexts(): Promise<number> {
  return (await readdir(folder)).filter((name) => name.endsWith('.txt')).length;
}

it(`${FILES} files with broken ones among them, the command killed ${KILLS} times: each good one is read and charged once`, {
  timeout: 180_000 + FILES * 2000,
}, async () => {
  const random = new SeededRandom(SEED);
  const account = await house.account({ credit: 100 });
  const good = await fill(random);
  const before = house.engines.calls('reader').length;
  house.engines.script('reader', async () => {
    await sleep(random.below(40)); // so that a kill meets requests that are at work
    return says('a page');
  });
  const wish = ['read', folder, '--engine', 'reader', '--yes', '--resume', '--concurrency', '4'];
  const most = good - 5; // what is left takes longer than to kill it
  const goals = Array.from({ length: KILLS }, () => 1 + random.below(most)).toSorted((a, b) => a - b);
  for (const goal of goals) {
    const child = command.start(account, ...wish);
    child.stdout.resume();
    child.stderr.resume();
    const ended = once(child, 'exit');
    await until(`${goal} texts`, async () => (await countTexts()) >= goal || child.exitCode !== null, {
      mostStepMs: 20,
    });
    child.kill('SIGKILL');
    expect((await ended)[1], 'it was at work').toBe('SIGKILL');
  }
  const last = await command.run(account, ...wish, '--json');
  expect(last.code, last.errors).toBe(1); // the broken ones
  expect(JSON.parse(last.output)).toMatchObject({ failed: 0, refused: FILES - good });
  expect(await countTexts()).toBe(good);
  const rows = await readSql<{ requests: string; charged: string }>(
    house.databaseUrl,
    `select count(*)::text as requests, sum(cost)::text as charged from ocr_request
     where account_id = '${account.accountId}'`,
  );
  expect(rows).toEqual([{ requests: String(good), charged: String(good * PRICE) }]);
  expect(house.engines.calls('reader')).toHaveLength(before + good);
  console.log(
    `seed ${SEED}: ${good} good files of ${FILES}, killed at ${goals.join(', ')} texts: each read and charged once`,
  );
});
