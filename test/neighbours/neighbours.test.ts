import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../house/cluster.ts';
import { SAMPLE } from './attacks/index.ts';
import { openSite } from './site.ts';
import { broken, tryAttack } from './trial.ts';

const site = await openSite(await createDatabase(), 'watched');
afterAll(async () => {
  await site.product.kill(); // what the attacks have left waiting need not end
  await site[Symbol.asyncDispose]();
});

describe('what one account, a stranger or one bad row does, another account does not feel', () => {
  it.each(SAMPLE.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    const report = await tryAttack(site, attack, { quietMs: 0, attackMs: 250, restMs: 0 });
    expect(broken(report)).toEqual([]);
  });
});
