import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeLog } from '../platform/logging/log.ts';
import { SettingError } from '../platform/settings/setting-error.ts';
import { startEmbedded } from './embedded.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ocr-router-test-')));
chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
const options = { dataDir: folder, log: makeLog('silent'), durable: false };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('says what the operator can do about a database that another one has, or that another version made', async () => {
  await using server = await startEmbedded(options);
  expect(new URL(server.serviceUrl)).toMatchObject({ username: 'ocr_router_service', pathname: '/ocr_router' });
  const refused = startEmbedded(options);
  await expect(refused).rejects.toThrow(SettingError);
  await expect(refused).rejects.toThrow(
    /is in use by this process: stop that one first, or set DATA_DIR .*DATABASE_URL/,
  );
  await server.stop();
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n');
  await expect(startEmbedded(options)).rejects.toThrow(
    /was made by PostgreSQL 12, .*: with the version .*`ocr-router admin backup --out FILE`/,
  );
});
