import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, LOOPBACK } from './free-port.ts';

it('is the preferred port while that is free, and another one when it is taken', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(preferred, LOOPBACK, done));
  try {
    expect(await freePort(preferred)).not.toBe(preferred);
  } finally {
    holder.close();
  }
});

it('is below the ports that systems give to outgoing connections', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(30_000);
});
