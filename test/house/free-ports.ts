import { randomInt } from 'node:crypto';
import { isFree } from '../../embedded-postgres/src/system/free-port.ts';

/**
 * Below the range from which systems take ports for outgoing connections: such a connection could hold the port when the
 * product comes to listen there. Each of vitest's workers has a range of its own, in both runs that go side by side.
 */
const FIRST = 10_000;
const RANGE = 2000;
const WORKERS = 4;
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) + (process.env['TEST_PART'] === 'waiting' ? 2 : 0);
const first = FIRST + (worker % WORKERS) * RANGE;
const given = new Set<number>();

/** Ports of the loopback address that nobody listens on at this moment, each handed out once. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(first, first + RANGE);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}
