import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { makeAccount, openHouseAdmin } from '../house/admin.ts';
import { Caller } from '../house/caller.ts';
import { createDatabase } from '../house/cluster.ts';
import { freePorts } from '../house/free-ports.ts';
import { ocrBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { missingRedis, RedisServer } from '../house/redis.ts';
import { until } from '../house/until.ts';
import { missingBwrap, ShutInUnit } from './shut-in-unit.ts';

const MISSING = missingBwrap() ?? missingRedis();
if (MISSING) console.log(`skipped: ${MISSING}`);
const PAGE = readFileSync(resolve(import.meta.dirname, '../fixtures/quick-brown-fox.png'));
const LIMIT = { timeout: 120_000 };

/** A folder of the units that a test starts; they end before it goes. */
function openPlace() {
  const place = mkdtempSync(join(tmpdir(), 'ocr-units-'));
  const started: ShutInUnit[] = [];
  return {
    place,
    start(name: string, settings: Record<string, string>, instance = '') {
      const unit = new ShutInUnit(name, { settings, instance, place });
      started.push(unit);
      return unit;
    },
    async [Symbol.asyncDispose]() {
      for (const unit of started) unit.kill();
      await Promise.all(started.map((unit) => unit.end()));
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** What a unit printed until then, or why it will not print it. */
const printed = (unit: ShutInUnit, pattern: RegExp) =>
  until(`it prints ${pattern}`, () => {
    const found = pattern.exec(unit.printed)?.[0];
    if (!found && !unit.running) throw new Error(unit.printed);
    return found;
  });

const isReady = (unit: ShutInUnit, port: number) =>
  until('it is ready', async () => {
    if (!unit.running) throw new Error(unit.printed);
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });

it.skipIf(MISSING)('ocr-router.service serves, reads and stops, and its backup runs beside it', LIMIT, async () => {
  await using units = openPlace();
  const [port = 0, dashboard = 0] = await freePorts(2);
  const settings = { PORT: String(port), DASHBOARD_PORT: String(dashboard) };
  const service = units.start('ocr-router', settings);
  const caller = new Caller(`http://127.0.0.1:${port}`, await printed(service, /sk-ocr-\w+/));
  const { status, body } = await caller.ocr(ocrBody('tesseract', PAGE));
  expect([status, body.extracted_text]).toEqual([200, expect.stringContaining('quick brown fox')]);

  const backup = units.start('ocr-router-backup', settings);
  expect(await backup.end(), backup.printed).toBe(0);
  const kept = readdirSync(join(units.place, 'var/ocr-router-backups'));
  expect(kept).toEqual([expect.stringMatching(/^ocr-router-backup-.*\.tar\.gz$/)]);

  expect(await service.stop(), service.printed).toBe(0);
  expect(service.printed).toContain('"msg":"stopping"');
});

it.skipIf(MISSING)('ocr-router-api@1 and ocr-router-worker@1 are one service', LIMIT, async () => {
  await using redis = await RedisServer.start();
  const databaseUrl = await createDatabase();
  await using admin = await openHouseAdmin(databaseUrl);
  await using units = openPlace();
  const [port = 0, dashboard = 0, probes = 0] = await freePorts(3);
  const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
  const api = units.start('ocr-router-api@', { ...shared, PORT: `${port}`, DASHBOARD_PORT: `${dashboard}` }, '1');
  const worker = units.start('ocr-router-worker@', { ...shared, WORKER_PORT: `${probes}` }, '1');
  await Promise.all([isReady(api, port), isReady(worker, probes)]);

  const { apiKey } = await makeAccount(admin, {});
  const caller = new Caller(`http://127.0.0.1:${port}`, apiKey);
  const accepted = await caller.ocr({ ...ocrBody('pdf-text', makePdf([{ text: 'of a unit' }])), mode: 'async' });
  expect(accepted.status).toBe(202);
  const text = await until('it is read', async () => {
    const { body } = await caller.call<{ extracted_text: string | null }>('GET', `/v1/ocr/${accepted.body.request_id}`);
    return body.extracted_text;
  });
  expect(text).toContain('of a unit');
  expect([await worker.stop(), await api.stop()], api.printed + worker.printed).toEqual([0, 0]);
});
