import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMigrator } from '../../src/database/migrator.ts';
import { openOrm } from '../../src/database/orm.ts';

/** The code by which a connection asks for TLS before it says anything else. */
const SSL_REQUEST = 80877103;

/** A database that has no TLS, and hangs up on whoever goes on without. `listenAt`: a port, or the path of a socket. */
async function plainDatabase(listenAt: number | string) {
  const codes: number[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // whoever connects may hang up
    socket.once('data', (first) => {
      codes.push(first.readInt32BE(4));
      socket.end('N');
    });
  });
  server.listen(listenAt);
  await once(server, 'listening');
  return { codes, address: server.address(), [Symbol.dispose]: () => void server.close() };
}

describe.each([
  ['the ORM', (url: string) => openOrm(url, [])],
  ['the migrator', openMigrator],
])('%s', (_what, open) => {
  async function ask(url: string): Promise<void> {
    await using stack = new AsyncDisposableStack();
    const orm = stack.adopt(await open(url), (opened) => opened.close(true));
    await expect(orm.em.getConnection().execute('select 1')).rejects.toThrow();
  }

  it('connects by TLS where the address asks for it, and tells a database without TLS nothing', async () => {
    using database = await plainDatabase(0);
    const { port } = database.address as AddressInfo; // of a TCP server
    await ask(`postgres://ocr:secret@127.0.0.1:${port}/ocr?sslmode=verify-full`);
    expect(new Set(database.codes)).toEqual(new Set([SSL_REQUEST]));
  });

  it.skipIf(process.platform === 'win32')('connects to the socket that the address names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ocr-router-socket-'));
    using database = await plainDatabase(join(folder, '.s.PGSQL.5432'));
    await ask(`postgres://ocr:secret@/ocr?host=${encodeURIComponent(folder)}`);
    expect(database.codes.length).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
  });
});
