import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { ADMIN, adminCommand } from '../house/command.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { startProduct } from '../house/product.ts';
import { ScriptedEngines } from '../house/scripted-engines.ts';

const folder = await mkdtemp(join(tmpdir(), 'ocr-router-embedded-backup-'));
await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
const [source, target] = [join(folder, 'source'), join(folder, 'target')] as const;
const engines = await ScriptedEngines.start();
afterAll(async () => {
  await engines[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Restored {
  readonly note: string;
  readonly doctor: { ok: boolean; checks: { name: string; ok: boolean }[] };
}

interface Usage {
  readonly total_requests: number;
}

function start(dataDir: string) {
  return startProduct({ databaseUrl: '', engines: [engines.entry('reader')], env: { DATA_DIR: dataDir } });
}

it('moves the embedded database, backed up running and stopped, to another DATA_DIR; its key goes with it by hand', async () => {
  const [running, stopped] = [join(folder, 'running.tar.gz'), join(folder, 'stopped.tar.gz')];
  const from = { DATA_DIR: source };
  const to = { DATA_DIR: target };
  await using product = await start(source);
  const account = await adminCommand<{ account_id: string }>(
    ['account', 'create', '--email', 'moves@example.com', '--credit', '5', '--tier', 'unlimited'],
    from,
  );
  const { body: key } = await adminCommand<{ api_key: string }>(
    ['key', 'create', '--account', account.body.account_id],
    from,
  );
  const caller = new Caller(product.url, key.api_key);
  const body = await pictureBody('reader');
  const first = await caller.ocr(body, { key: 'once' });
  expect(first.status).toBe(200);
  for (let n = 0; n < 3; n++) expect((await caller.ocr(await pictureBody('reader'))).status).toBe(200);

  const made = await adminCommand<{ note: string }>(['backup', '--out', running], from);
  expect(made).toMatchObject({ exitCode: 0, body: { note: expect.stringContaining('secrets-key.json') } });
  expect(await adminCommand(['restore', running, '--resume'], from)).toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/in use by process/),
  });
  const usage = (await caller.get<Usage>('/v1/usage')).body;
  await product.stop();
  expect((await adminCommand(['backup', '--out', stopped], from)).exitCode).toBe(0);

  const restored = await adminCommand<Restored>(['restore', stopped, '--resume'], to);
  expect(restored.exitCode).toBe(1);
  expect(restored.body.doctor.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
    'secrets can be opened',
  ]);
  expect(restored.body.note).toContain(join(target, 'secrets-key.json'));
  expect(existsSync(join(target, 'secrets-key.json'))).toBe(false);
  await copyFile(join(source, 'secrets-key.json'), join(target, 'secrets-key.json'));
  expect((await adminCommand(['doctor', '--full'], to)).body).toMatchObject({ ok: true });

  await using copy = await start(target);
  const there = new Caller(copy.url, key.api_key);
  const replay = await there.ocr(body, { key: 'once' });
  expect(replay.headers['idempotent-replayed']).toBe('true');
  expect(replay.body).toMatchObject({ extracted_text: first.body.extracted_text });
  expect((await there.get<Usage>('/v1/usage')).body).toEqual(usage);
  expect((await there.ocr(await pictureBody('reader'))).status).toBe(200);
  expect((await there.get<Usage>('/v1/usage')).body.total_requests).toBe(usage.total_requests + 1);
  await copy.stop();
  expect((await adminCommand(['doctor', '--full'], to)).body).toMatchObject({ ok: true });
});

it('opens the secrets at once where the key was put before', async () => {
  const third = join(folder, 'third');
  await mkdir(third);
  await copyFile(join(source, 'secrets-key.json'), join(third, 'secrets-key.json'));
  const { exitCode, body } = await adminCommand<Restored>(['restore', join(folder, 'running.tar.gz'), '--end'], {
    DATA_DIR: third,
  });
  expect(body.doctor.ok).toBe(true);
  expect(exitCode).toBe(0);
});

it('a command says that it looks where no database was', async () => {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'elsewhere') };
  const list = () => promisify(execFile)(process.execPath, [ADMIN, 'account', 'list'], { env });
  const notice = `There is no database in ${env.DATA_DIR} yet: an empty one is made.\n`;
  expect(await list()).toMatchObject({ stdout: expect.stringContaining('"data":[]'), stderr: notice });
  expect(await list()).toMatchObject({ stderr: '' });
});
