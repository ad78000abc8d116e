import { nestedGroups } from '../../house/broken-documents.ts';
import { endlessTree } from '../../house/endless-tree.ts';
import { ocrBody } from '../../house/ocr-body.ts';
import type { Attack, Attacker } from '../attack.ts';
import { persist } from '../persist.ts';
import { barrage, post } from './post.ts';

/** Who has no money has no document opened. */
export const unpaidPdfs: Attack = {
  name: 'PDFs whose page tree has no end, without money',
  finding: 'S4',
  run: ({ penniless }, signal) =>
    barrage(penniless, { engine: 'pdf-text', document: endlessTree(), answers: [402] }, signal),
};

/** Each is opened, and given up after its time. */
export const branchingPdfs: Attack = {
  name: 'PDFs whose page tree has no end',
  finding: 'S4',
  run: ({ funded }, signal) =>
    barrage(funded, { engine: 'pdf-text', document: endlessTree(), answers: [422, 503, 202] }, signal),
};

/** Small files that multiply as they are drawn, until what draws them breaks off. */
export const breakingPdfs: Attack = {
  name: 'PDFs that break what draws them',
  finding: 'B6',
  run: ({ funded }, signal) => {
    const body = ocrBody('instant', nestedGroups(), { dpi: 300 });
    return persist(signal, { width: 2, pauseMs: 20 }, () => post(funded, body, signal));
  },
};

/** An estimate opens its document without money. */
export const hostileEstimates: Attack = {
  name: 'estimates of PDFs whose page tree has no end, with money and without',
  finding: 'S4',
  run: async ({ funded, penniless }, signal) => {
    const body = ocrBody('pdf-text', endlessTree());
    const estimate = ({ caller }: Attacker) =>
      persist(signal, { width: 8, pauseMs: 100 }, () =>
        caller.call('POST', '/v1/ocr/estimate', { body: JSON.stringify(body), headers: JSON_TYPE, signal }),
      );
    await Promise.all([estimate(funded), estimate(penniless)]);
  },
};

const JSON_TYPE = { 'content-type': 'application/json' };
