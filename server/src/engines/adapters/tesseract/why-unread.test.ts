import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PreparedReading } from './prepared-reading.ts';
import { type DetectedScript, ESTIMATE_DPI, type Recogniser, RecognitionError } from './recogniser.ts';
import { makeRecognition } from './recognition.ts';
import { whyUnread } from './why-unread.ts';

const never = new AbortController().signal;
const letters = Array.from({ length: 12 }, (_, i) => `<rect x="${20 + i * 25}" y="30" width="9" height="30"/>`).join(
  '',
);
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="340" height="90"><rect width="100%" height="100%" fill="white"/>${letters}</svg>`;

interface Case {
  readonly script?: DetectedScript | null | Error;
  readonly confidence?: number;
  /** What detection says of its lines once they are repeated. */
  readonly repeated?: DetectedScript;
  readonly text?: string;
  /** How it reads with the data of another script. */
  readonly otherwise?: number | Error;
  readonly wish?: string;
  readonly blur?: number;
  readonly steps?: PreparedReading['steps'];
  /** Lines that run down the page. */
  readonly inColumns?: boolean;
}

async function reasonOf(page: Case) {
  const { script = null, repeated, confidence = 0.25, otherwise = 0, wish = 'eng', blur, steps = [] } = page;
  const { inColumns = false, text = 'HayplphhubpEuhGulpnqp' } = page;
  const asked: string[] = [];
  const answer = <T>(value: T | Error): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  const words = (sure: number) => [`5\t1\t1\t1\t1\t1\t20\t30\t300\t30\t${sure * 100}\t${text}`];
  const drawn = sharp(Buffer.from(drawing));
  const bytes = await (blur ? drawn.blur(blur) : drawn).png().toBuffer();
  const recogniser: Recogniser = {
    version: 'none',
    modeFor: (psm) => psm,
    knows: (code) => ['eng', 'ara', 'kor'].includes(code),
    detectScript: (picture) => answer(picture.bytes === bytes ? script : (repeated ?? null)),
    recognise: async ({ languages }) => {
      asked.push(...languages);
      return makeRecognition('', words(await answer(otherwise)));
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const first = makeRecognition(text, words(confidence));
  const lines = inColumns ? [{ box: { left: 20, top: 0, width: 9, height: 90 }, letters: 22, score: 1 }] : first.lines;
  const read = { ...first, lines, turnedBy: 0 as const, steps, skew: 0 };
  const languages = recogniser.knows(wish) ? [wish] : ['eng'];
  const task = { picture: { bytes }, languages, psm: 3, dpi: ESTIMATE_DPI, variables: {} };
  return { reason: await whyUnread(recogniser, { page: read, task, wish }, never), asked };
}

const failed = new RecognitionError('failed', 'tesseract.js stopped.');

describe('why a page was not read', () => {
  it('is the script that there is no data for', async () => {
    const { reason } = await reasonOf({ script: { name: 'Thai', confidence: 90 } });
    expect(reason).toContain('Thai');
  });

  it.each([
    ['Latin ones', { name: 'Latin', confidence: 15 }],
    ['nothing at all', null],
    ['those of a script that there is data for', { name: 'Arabic', confidence: 23 }],
  ])('is its letters, where they are clear and detection takes them for %s', async (_name, script) => {
    const { reason } = await reasonOf({ script });
    expect(reason).toMatch(/letters are clear.*settings\.language/);
  });

  const bengali = { name: 'Bengali', confidence: 23 };
  const line: Case = { text: 'FAS WIT VAS Hay', confidence: 0.42, repeated: bengali };

  it('is the script of a line that detection gives up on, and tells when it is shown that several times', async () => {
    expect((await reasonOf(line)).reason).toContain('tesseract-ocr-ben');
  });

  it('is the letters of a line of several words, where they read like nothing', async () => {
    const reason = async (more: Case) => (await reasonOf({ ...line, confidence: 0.18, ...more })).reason;
    expect(await reason({ repeated: { name: 'Cyrillic', confidence: 1.6 } })).toMatch(/letters are clear/);
    expect(await reason({ repeated: { name: 'Latin', confidence: 13 } })).toBeNull();
    expect(await reason({ text: 'WVWZZZ1JZX', repeated: { name: 'Greek', confidence: 1.6 } })).toBeNull();
    expect(await reason({ text: 'VIN HGBH41 JXMN AB', repeated: { name: 'Greek', confidence: 1.6 } })).toBeNull();
  });

  it.each<[string, Case]>([
    ['has fewer letters, as a code or a name', { text: '0x7fff3c' }],
    ['was read better', { confidence: 0.5 }],
    ['may be Latin letters to detection', { repeated: { name: 'Cyrillic', confidence: 13 } }],
    ['detection is not sure of', { repeated: { name: 'Hebrew', confidence: 2 } }],
    ['is out of focus', { blur: 3 }],
    ['was turned', { steps: ['turned'] }],
  ])('is not the data for a line that %s', async (_name, more) => {
    expect((await reasonOf({ ...line, ...more })).reason).toBeNull();
  });

  it('is its letters, too, where detection fails', async () => {
    expect((await reasonOf({ script: failed })).reason).toMatch(/letters are clear/);
  });

  it('is the language that was named, where a few of its letters read like others', async () => {
    expect((await reasonOf({ wish: 'heb', confidence: 0.66 })).reason).toContain('tesseract-ocr-heb');
  });

  it('is the data for columns, where its lines run down the page', async () => {
    expect((await reasonOf({ wish: 'kor', inColumns: true })).reason).toContain('tesseract-ocr-kor-vert');
  });

  it.each<[string, Case]>([
    ['read well', { confidence: 0.6 }],
    ['read well, whatever language was named', { confidence: 0.9, wish: 'heb' }],
    ['was asked for in two languages', { confidence: 0.66, wish: 'heb+eng' }],
    ['is out of focus', { blur: 3 }],
    ['is of small letters', { steps: ['enlarged'] }],
    ['reads with other data that is here', { script: { name: 'Korean', confidence: 0.1 }, otherwise: 0.9 }],
  ])('is not the data for a page that %s', async (_name, page) => {
    expect((await reasonOf(page)).reason).toBeNull();
  });

  it('is looked for with the data of the script, where there is some', async () => {
    const script = { name: 'Arabic', confidence: 23 };
    expect(await reasonOf({ script, otherwise: failed })).toMatchObject({ reason: expect.any(String), asked: ['ara'] });
  });
});
