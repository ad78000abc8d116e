import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { adminCommand } from '../../house/command.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const folder = await mkdtemp(join(tmpdir(), 'ocr-export-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('says where a file cannot stand, and lets the next one begin at once', async () => {
  const { accountId } = await house.account();
  const to = (out: string) =>
    adminCommand(['account', 'export', '--account', accountId, '--out', out], { DATABASE_URL: house.databaseUrl });
  const [nowhere, file] = [join(folder, 'missing', 'a.tar.gz'), join(folder, 'a.tar.gz')];
  expect(await to(nowhere)).toMatchObject({
    exitCode: 1,
    body: {
      error: { code: 'invalid_request', message: expect.stringContaining(`${nowhere} cannot be written: ENOENT`) },
    },
  });
  expect(await to(file)).toMatchObject({ exitCode: 0, body: { account_id: accountId, file } });
  const { size } = await stat(file);
  expect(await to(file)).toMatchObject({ exitCode: 1, message: expect.stringContaining('EEXIST') });
  expect((await stat(file)).size).toBe(size);
});
