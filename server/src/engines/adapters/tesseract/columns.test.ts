import { describe, expect, it } from 'vitest';
import { readColumns, wantedForColumns } from './columns.ts';
import { ESTIMATE_DPI, type Recogniser, RecognitionError } from './recogniser.ts';
import { makeRecognition } from './recognition.ts';

const never = new AbortController().signal;
const TALL = '40\t30\t28\t500';
const WIDE = '40\t30\t500\t28';

/** One line of twenty letters that were read so surely. */
function line(confidence: number, box = TALL) {
  const text = '人'.repeat(20);
  return makeRecognition(text, [
    `4\t1\t1\t1\t1\t0\t${box}\t-1\t`,
    `5\t1\t1\t1\t1\t1\t${box}\t${confidence * 100}\t${text}`,
  ]);
}

interface Case {
  readonly knows?: string[];
  readonly box?: string;
  readonly languages?: string[];
  readonly block?: number | Error;
  readonly page?: number | Error;
}

async function read({ knows = ['jpn_vert'], box, languages = ['jpn', 'eng'], block = 0.9, page = 0.8 }: Case) {
  const asked: string[] = [];
  const recogniser: Recogniser = {
    version: 'none',
    modeFor: (psm) => psm,
    knows: (code) => knows.includes(code),
    detectScript: async () => null,
    recognise: async (task) => {
      asked.push(`${task.languages.join('+')} ${task.psm}`);
      const answer = task.psm === 5 ? block : page;
      if (answer instanceof Error) throw answer;
      return line(answer);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const task = { picture: { bytes: Buffer.alloc(0) }, languages, psm: 3, dpi: ESTIMATE_DPI, variables: {} };
  const columns = await readColumns(recogniser, task, { asItLies: line(0.3, box), signal: never });
  return { confidence: columns && Math.round((columns.confidence ?? 0) * 100) / 100, asked };
}

describe('readColumns', () => {
  it('reads columns with the data for them, as a block and as a page, and takes what reads best', async () => {
    expect(await read({})).toEqual({ confidence: 0.9, asked: ['jpn_vert+eng 5', 'jpn_vert+eng 3'] });
    expect(await read({ block: 0.75, page: 0.85 })).toMatchObject({ confidence: 0.85 });
  });

  it.each<[string, Case]>([
    ['lines that run across', { box: WIDE }],
    ['a language without columns', { languages: ['eng'] }],
    ['a language without data for them', { knows: [] }],
  ])('reads nothing again of %s', async (_name, page) => {
    expect(await read(page)).toEqual({ confidence: null, asked: [] });
  });

  it('takes nothing that does not read well: the page may lie on its side', async () => {
    expect(await read({ block: 0.5, page: 0.4 })).toMatchObject({ confidence: null });
  });

  it('takes the other reading where one fails', async () => {
    const failed = new RecognitionError('failed', 'tesseract stopped.');
    expect(await read({ block: failed })).toMatchObject({ confidence: 0.8 });
    expect(await read({ block: failed, page: failed })).toMatchObject({ confidence: null });
  });
});

describe('wantedForColumns', () => {
  it('names the data for columns', () => {
    expect(wantedForColumns(['jpn', 'eng', 'kor'], line(0.3).lines)).toEqual(['jpn_vert', 'kor_vert']);
    expect(wantedForColumns(['jpn'], line(0.3, WIDE).lines)).toEqual([]);
  });
});
