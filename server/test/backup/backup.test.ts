import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouseAdmin } from '../../../test/house/admin.ts';
import type { OcrAnswer } from '../../../test/house/answers.ts';
import { rewriteBackup } from '../../../test/house/backup-file.ts';
import { Caller } from '../../../test/house/caller.ts';
import { createDatabase } from '../../../test/house/cluster.ts';
import { adminCommand } from '../../../test/house/command.ts';
import { emptyDatabase } from '../../../test/house/empty-database.ts';
import { says } from '../../../test/house/engine-answers.ts';
import { makeGate } from '../../../test/house/gate.ts';
import { hostProduct } from '../../../test/house/hosted-product.ts';
import { LOOPBACK_ALLOWED, openHouse } from '../../../test/house/house.ts';
import { pictureBody } from '../../../test/house/ocr-body.ts';
import { readSql, runSql } from '../../../test/house/sql.ts';
import { until } from '../../../test/house/until.ts';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import * as admin from '../../src/admin/backup.ts';
import { migrationScripts } from '../../src/database/migration-scripts.ts';
import { appliedMigrations } from '../../src/database/schema-version.ts';
import { Secrets } from '../../src/database/secrets/secrets.ts';
import { prepareSecrets } from '../../src/database/secrets/stored-secrets.ts';
import { readConfig } from '../../src/platform/config.ts';
import { makeLog } from '../../src/platform/logging/log.ts';

interface Report {
  readonly file: string;
  readonly rows: number;
  readonly schema: string;
  readonly note: string;
  readonly in_flight: { requests: number; deliveries: number };
}

interface Restored extends Omit<Report, 'in_flight'> {
  readonly in_flight: Record<string, unknown>;
  readonly doctor: {
    ok: boolean;
    schema: { database: string; program: string };
    checks: { name: string; ok: boolean }[];
  };
}

const KEY = { SECRETS_KEY: randomBytes(32).toString('base64') };
const folder = await mkdtemp(join(tmpdir(), 'ocr-router-backup-'));
const file = join(folder, 'backup.tar.gz');
const receiver = await WebhookReceiver.start();
const house = await openHouse({
  engines: { reader: {}, narrow: { concurrency: 1 } },
  env: LOOPBACK_ALLOWED,
});
const account = await house.account();
const gate = makeGate();
afterAll(async () => {
  gate.open();
  await house[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const entries = () => [house.engines.entry('reader'), house.engines.entry('narrow', { concurrency: 1 })];
/** Runs the command as an operator does. */
const runRestore = (path: string, databaseUrl: string, ...how: string[]) =>
  adminCommand<Restored>(['restore', path, ...how], { DATABASE_URL: databaseUrl });

/** The same in this process, which starts no other one. */
function restore(path: string, databaseUrl: string, how: { resume?: boolean; end?: boolean }) {
  return admin.restore(readConfig({ DATABASE_URL: databaseUrl }), path, how);
}

function backup(out: string, databaseUrl: string) {
  return admin.backup(readConfig({ DATABASE_URL: databaseUrl }), out);
}

/** Why it refuses. */
function refusal(path: string, databaseUrl: string): Promise<string> {
  return restore(path, databaseUrl, { end: true }).then(
    () => 'it did not',
    (error: Error) => error.message,
  );
}

async function doctor(databaseUrl: string): Promise<unknown> {
  await using operator = await openHouseAdmin(databaseUrl);
  return await operator.doctor({ full: true }); // before the connections are closed
}

async function countOf(databaseUrl: string, from: string): Promise<number> {
  const [row] = await readSql<{ count: number }>(databaseUrl, `select count(*)::int as count from ${from}`);
  return row?.count ?? 0;
}

const sent: { key: string; body: object; requestId: string; text: string }[] = [];
const inFlight: string[] = [];
let bodyWithNewline = '';
let report: Report;

beforeAll(async () => {
  house.engines.script('reader', (_call, nth) => says(`page ${nth}\twith\\N ümläut\nand a second line`));
  house.engines.script('narrow', async () => {
    await gate.opened;
    return says('late');
  });
  for (let n = 0; n < 5; n++) {
    const body = await pictureBody('reader');
    const key = `kept-${n}`;
    const { status, body: answer } = await account.caller.ocr(body, { key });
    expect(status).toBe(200);
    sent.push({ key, body, requestId: answer.request_id ?? '', text: answer.extracted_text ?? '' });
  }
  bodyWithNewline = sent[0]?.text ?? '';
  const webhook = { mode: 'async', webhook_url: receiver.at('/late') };
  for (let n = 0; n < 3; n++) {
    const { status, body } = await account.caller.ocr(await pictureBody('narrow', webhook));
    expect(status).toBe(202);
    inFlight.push(body.request_id ?? '');
  }
  const hung = { mode: 'async', webhook_url: receiver.at('/hung', 'hang') };
  expect((await account.caller.ocr(await pictureBody('reader', hung))).status).toBe(202);
  await receiver.gets('/hung');

  let stop = false;
  const load = (async () => {
    while (!stop) expect((await account.caller.ocr(await pictureBody('reader'))).status).toBe(200);
  })();
  const answer = await adminCommand<Report>(['backup', '--out', file], { DATABASE_URL: house.databaseUrl, ...KEY });
  stop = true;
  await load;
  expect(answer).toMatchObject({ exitCode: 0, message: '' });
  report = answer.body;
}, 90_000);

describe('admin backup, while the service runs', () => {
  it('writes one file, for its owner alone, and says what is in it and what is not', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
    // Of the load, one may have been on its way.
    expect(report).toMatchObject({ file, in_flight: { deliveries: 1 } });
    expect(report.in_flight.requests - 3).toBeOneOf([0, 1]);
    expect(report.note).toContain('SECRETS_KEY');
    expect(report.rows).toBeGreaterThan(20);
  });

  it('overwrites nothing', async () => {
    await expect(backup(file, house.databaseUrl)).rejects.toThrow(/exists/);
  });

  it('says what is wrong with a place that cannot be written to', async () => {
    const nowhere = join(folder, 'nowhere', 'backup.tar.gz');
    await expect(backup(nowhere, house.databaseUrl)).rejects.toThrow(/nowhere.* cannot be written: ENOENT/);
  });

  it('does not migrate: a database without a schema is refused and stays as it is', async () => {
    const empty = await emptyDatabase(house.databaseUrl);
    const out = join(folder, 'empty.tar.gz');
    await expect(backup(out, empty.url)).rejects.toThrow(/nothing to back up/);
    expect(await appliedMigrations((text) => readSql(empty.url, text))).toEqual([]);
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
  });
});

it('knows that its secrets are encrypted, also where the key is not set', async () => {
  const copy = await emptyDatabase(house.databaseUrl);
  await restore(file, copy.url, { end: true });
  const { secretsKey } = readConfig({ DATABASE_URL: copy.url, ...KEY });
  await prepareSecrets(new Secrets(secretsKey), copy.url, makeLog('silent'));
  const { note } = await backup(join(folder, 'keyless.tar.gz'), copy.url);
  expect(note).toContain('neither in it nor set here: keep the SECRETS_KEY of the service');
});

describe('admin restore', () => {
  it('explains the choice when neither --resume nor --end is given, or both, and does nothing', async () => {
    const empty = await emptyDatabase(house.databaseUrl);
    const choice = `${report.in_flight.requests} requests and 1 webhook deliveries were under way.*--resume.*--end.*Nothing was`;
    const { exitCode, message } = await runRestore(file, empty.url);
    expect(exitCode).toBe(1);
    expect(message).toMatch(new RegExp(choice));
    await expect(restore(file, empty.url, { resume: true, end: true })).rejects.toThrow(new RegExp(choice));
    expect(await appliedMigrations((text) => readSql(empty.url, text))).toEqual([]);
  });

  it('--resume: the books are proven, replays replay, texts are there, and what was under way goes on', async () => {
    // An ordinary role that owns its database: no superuser is needed.
    const target = await emptyDatabase(house.databaseUrl, { ordinaryRole: true });
    const { exitCode, body } = await runRestore(file, target.url, '--resume');
    expect(body).toMatchObject({ rows: report.rows, doctor: { ok: true } });
    expect(exitCode).toBe(0);
    expect(body.doctor.schema.database).toBe(body.doctor.schema.program);
    expect(body.in_flight).toMatchObject({ choice: 'resume', requests_resumed: report.in_flight.requests });
    expect(body.in_flight['deliveries_resumed']).toBe(1);
    house.engines.script('narrow', () => says('read by the copy'));
    receiver.at('/hung');
    await using copy = await hostProduct({ databaseUrl: target.url, engines: entries(), env: LOOPBACK_ALLOWED });
    const caller = new Caller(copy.url, account.apiKey);
    for (const { key, body: again, requestId, text } of sent) {
      const replay = await caller.ocr(again, { key });
      expect(replay.headers['idempotent-replayed']).toBe('true');
      expect(replay.body).toMatchObject({ request_id: requestId, extracted_text: text });
    }
    expect(bodyWithNewline).toContain('\n');
    for (const id of inFlight) {
      const ended = await until(`${id} ends`, async () => {
        const { body: seen } = await caller.get<OcrAnswer>(`/v1/ocr/${id}`);
        return seen.status === 'succeeded' && seen;
      });
      expect(ended.extracted_text).toBe('read by the copy');
    }
    await receiver.gets('/late', 3);
    await receiver.gets('/hung', 2);
    expect(await countOf(target.url, `attempt where outcome = 'lost'`)).toBe(0);
    await until('nothing is owed to receivers', async () => {
      return (await countOf(target.url, `webhook_delivery where status = 'pending'`)) === 0;
    });
    expect((await caller.ocr(await pictureBody('reader'))).status).toBe(200);
    await copy.stop();
    expect(copy.logs()).not.toContain('newer schema');
    expect(await doctor(target.url)).toMatchObject({ ok: true });
  });

  it('--end: what was under way costs nothing, holds nothing, and is neither run nor told', async () => {
    const target = await createDatabase(); // migrated, and as empty as a start leaves it that never began
    const restored = await restore(file, target, { end: true });
    expect(restored.doctor).toMatchObject({ ok: true });
    const requests = report.in_flight.requests;
    expect(restored.in_flight).toEqual({ choice: 'end', requests_ended: requests, deliveries_skipped: 1 });
    await using operator = await openHouseAdmin(target);
    expect(await operator.showAccount(account.accountId)).toMatchObject({ held_usd: 0 });
    const rows = await readSql<{ status: string; outcome: string; cost: string }>(
      target,
      `select status, outcome, cost from ocr_request where id in (${inFlight.map((id) => `'${id}'`).join(', ')})`,
    );
    expect(rows).toEqual(inFlight.map(() => ({ status: 'failed', outcome: 'refunded', cost: '0' })));
    const before = { calls: house.engines.calls('narrow').length, told: receiver.received('/late').length };
    await using copy = await hostProduct({ databaseUrl: target, engines: entries(), env: LOOPBACK_ALLOWED });
    const caller = new Caller(copy.url, account.apiKey);
    expect((await caller.ocr(await pictureBody('narrow'))).status).toBe(200); // it works, on its own requests
    expect(house.engines.calls('narrow')).toHaveLength(before.calls + 1);
    expect(receiver.received('/late')).toHaveLength(before.told);
    expect(await countOf(target, `webhook_delivery where status = 'skipped'`)).toBe(1);
    expect(await countOf(target, `webhook_delivery where status = 'pending'`)).toBe(0);
    expect(await countOf(target, 'queued_request')).toBe(0);
    expect(await countOf(target, `audit_entry where action = 'restore' and outcome = 'done'`)).toBe(1);
  });

  it('refuses what is damaged or cut off, changes nothing, and takes the whole file into the same database after it', async () => {
    const target = await emptyDatabase(house.databaseUrl);
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    const middle = Math.floor(whole.length / 2);
    flipped.writeUInt8(flipped.readUInt8(middle) ^ 0xff, middle);
    const damaged: [string, Buffer, RegExp][] = [
      ['cut.tar.gz', whole.subarray(0, whole.length - 200), /damaged or not complete/],
      ['half.tar.gz', whole.subarray(0, middle), /damaged or not complete/],
      ['flipped.tar.gz', flipped, /damaged/],
      ['text.tar.gz', Buffer.from('not a backup'), /damaged or not complete/],
      ['nothing.tar.gz', Buffer.alloc(0), /damaged or not complete/],
    ];
    for (const [name, bytes, why] of damaged) {
      await writeFile(join(folder, name), bytes);
      expect(await refusal(join(folder, name), target.url), name).toMatch(why);
    }
    const without = join(folder, 'without.tar.gz');
    await rewriteBackup(file, without, (name, text) => (name === 'manifest.json' ? null : text));
    expect(await refusal(without, target.url)).toMatch(/its end is missing/);
    const richer = join(folder, 'richer.tar.gz');
    await rewriteBackup(file, richer, (name, text) =>
      name.startsWith('data/wallet/') ? text.replace(/\t\d+/, '\t999000000000') : text,
    );
    expect(await refusal(richer, target.url)).toMatch(/the rows of wallet are not those/);
    const garbled = join(folder, 'garbled.tar.gz');
    await rewriteBackup(file, garbled, (name, text) =>
      name.startsWith('data/wallet/') ? text.replace(/\t\d+/, '\tmuch') : text,
    );
    expect(await refusal(garbled, target.url)).toMatch(/rows of wallet cannot be loaded/);
    expect(await refusal(join(folder, 'absent.tar.gz'), target.url)).toMatch(/no such file/);
    expect(await readSql(target.url, `select to_regclass('account')::text as found`)).toEqual([{ found: null }]);
    expect(await restore(file, target.url, { end: true })).toMatchObject({ doctor: { ok: true } });
  });

  it('changes nothing where the key file cannot be read', async () => {
    const target = await emptyDatabase(house.databaseUrl);
    const secretsKey = { kind: 'file', path: folder } as const;
    const config = { ...readConfig({ DATABASE_URL: target.url }), secretsKey };
    await expect(admin.restore(config, file, { end: true })).rejects.toThrow(`${folder} cannot be read: EISDIR`);
    expect(await readSql(target.url, `select to_regclass('account')::text as found`)).toEqual([{ found: null }]);
  });

  it('overwrites no database', async () => {
    expect(await refusal(file, house.databaseUrl)).toMatch(/is not empty \(.*account/);
    expect((await account.caller.ocr(await pictureBody('reader'))).status).toBe(200);
  });

  it('refuses a backup of a newer version, and one into a schema that is newer than it', async () => {
    const newer = join(folder, 'newer.tar.gz');
    const name = 'Migration20990101000000_of_the_future';
    await rewriteBackup(file, newer, (entry, text) =>
      entry === 'header.json' ? text.replace(/"migrations": \[/, `"migrations": ["${name}",`) : text,
    );
    const empty = await emptyDatabase(house.databaseUrl);
    expect(await refusal(newer, empty.url)).toMatch(new RegExp(`newer version.*${name}`));
    const migrated = await createDatabase();
    await runSql(migrated, 'insert into mikro_orm_migrations (name) values ($1)', [name]);
    expect(await refusal(file, migrated)).toMatch(/newer schema/);
  });

  it('migrates a backup of an older schema while it loads it', async () => {
    const old = await emptyDatabase(house.databaseUrl);
    const scripts = (await migrationScripts(old.url)).slice(0, 8);
    for (const { name, statements } of scripts) {
      for (const statement of statements) await runSql(old.url, statement, []);
      await runSql(old.url, 'insert into mikro_orm_migrations (name) values ($1)', [name]);
    }
    for (const statement of OLD_ROWS) await runSql(old.url, statement, []);
    const path = join(folder, 'old.tar.gz');
    expect(await backup(path, old.url)).toMatchObject({
      schema: scripts.at(-1)?.name,
      in_flight: { requests: 1, deliveries: 0 },
    });
    const target = await emptyDatabase(house.databaseUrl);
    const { doctor: diagnosis, in_flight } = await restore(path, target.url, { end: true });
    expect({ diagnosis, in_flight }).toMatchObject({ diagnosis: { ok: true }, in_flight: { requests_ended: 1 } });
    expect(diagnosis.schema.database).toBe(diagnosis.schema.program);
    expect(await readSql(target.url, 'select posted::int, held::int, spent::int from wallet')).toEqual([
      { posted: 990, held: 0, spent: 10 },
    ]);
  });
});

/** As a release of then wrote them: a top-up, a request that was charged, and one that waits. */
const ACCOUNT = `'00000000-0000-4000-8000-000000000001'`;
const OLD_ROWS = [
  `insert into account (id, email, signing_secret) values (${ACCOUNT}, 'old@example.com', 'whsec_b25l')`,
  `insert into wallet (account_id, posted, held, spent, requests, pages) values (${ACCOUNT}, 990, 40, 10, 2, 1)`,
  `insert into ledger_transfer (account_id, kind, debit, credit, amount) values (${ACCOUNT}, 'top_up', 'cash', 'wallet', 1000)`,
  `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages, finished_at)
   values ('ocr_1', ${ACCOUNT}, 'reader', 'reader', 'sync', '{"webhookUrl": null}', 'succeeded', 'succeeded', 40, 10, 1, now())`,
  `insert into ledger_transfer (account_id, kind, debit, credit, amount, request_id)
   values (${ACCOUNT}, 'charge', 'wallet', 'revenue', 10, 'ocr_1')`,
  `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold)
   values ('ocr_2', ${ACCOUNT}, 'reader', 'reader', 'async', '{"webhookUrl": null}', 'queued', 'processing', 40)`,
];
