import { beforeEach, describe, expect, it } from 'vitest';
import { makeLog } from '../../platform/logging/log.ts';
import type { Discovered, OpenIdSettings } from './discovery.ts';
import { OpenIdProvider } from './openid-provider.ts';

const HOUR = 60 * 60_000;
const settings = { issuer: 'https://idp.example' } as OpenIdSettings; // all that is looked at here

let now: number;
let calls: number;
let outcome: () => Promise<Discovered>;
const provider = () =>
  new OpenIdProvider({
    settings,
    log: makeLog('silent'),
    now: () => now,
    discover: () => {
      calls += 1;
      return outcome();
    },
  });
const found = (name: string) => ({ name }) as unknown as Discovered; // only handed on

beforeEach(() => {
  now = 0;
  calls = 0;
});

describe('the metadata of a provider', () => {
  it('are asked for once by all who need them at first, and kept', async () => {
    outcome = async () => found('first');
    const asked = provider();
    await Promise.all([asked.discovered(), asked.discovered()]);
    now = HOUR - 1;
    expect(await asked.discovered()).toEqual({ name: 'first' });
    expect(calls).toBe(1);
  });

  it('are renewed while nobody waits, and stay as they are while the provider is away', async () => {
    outcome = async () => found('first');
    const asked = provider();
    await asked.discovered();
    now = HOUR;
    outcome = () => Promise.reject(new Error('away'));
    expect(await asked.discovered()).toEqual({ name: 'first' });
    await settled();
    now += 5000;
    outcome = async () => found('second');
    expect(await asked.discovered()).toEqual({ name: 'first' });
    await settled();
    expect(await asked.discovered()).toEqual({ name: 'second' });
    expect(calls).toBe(3);
  });

  it('are not waited for again right after a failure', async () => {
    outcome = () => Promise.reject(new Error('away'));
    const asked = provider();
    await expect(asked.discovered()).rejects.toThrow('away');
    now = 4999;
    await expect(asked.discovered()).rejects.toThrow('away');
    expect(calls).toBe(1);
    now = 5000;
    outcome = async () => found('back');
    expect(await asked.discovered()).toEqual({ name: 'back' });
  });
});

/** What was begun in the background has ended. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
