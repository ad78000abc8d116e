import { beforeEach, describe, expect, it } from 'vitest';
import { refuses, says } from '../../house/engine-answers.ts';
import { makeGate } from '../../house/gate.ts';
import { ask } from '../../house/graphql.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';
import { until } from '../../house/until.ts';

const house = await sharedHouse();
beforeEach(() => house.engines.reset());
const { caller } = await house.account();

const PDF = makePdf([{ text: 'Invoice 0042 & more\nTotal 118.00' }, {}, { text: 'The last page' }]);
const sent = await caller.ocr(ocrBody('pdf-text', PDF, { page_count: 3, include: ['words'] }));
const path = `/v1/ocr/${sent.body.request_id}/output`;

describe('a file of a result', () => {
  it.each([
    ['text', 'text/plain; charset=utf-8', 'txt'],
    ['markdown', 'text/markdown; charset=utf-8', 'md'],
    ['hocr', 'text/html; charset=utf-8', 'html'],
    ['alto', 'application/xml; charset=utf-8', 'xml'],
  ])('%s has its type and its name', async (format, type, extension) => {
    const { status, headers } = await caller.get(`${path}?format=${format}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toBe(`attachment; filename="${sent.body.request_id}.${extension}"`);
  });

  it('text and markdown are what the result says', async () => {
    for (const format of ['text', 'markdown']) {
      expect((await caller.get(`${path}?format=${format}`)).text).toBe(sent.body.extracted_text);
    }
  });

  it('hOCR has every page, and every word with its place', async () => {
    const { text } = await caller.get(`${path}?format=hocr`);
    expect(text.match(/class="ocr_page"/g)).toHaveLength(3);
    expect(text.replace(/<[^>]*>/g, ' ')).toMatch(/Invoice\s+0042\s+&amp;\s+more/);
    const word = /<span class="ocrx_word"[^>]*title="bbox (\d+) (\d+) (\d+) (\d+)[^"]*">Invoice</.exec(text);
    const [left = 0, top = 0, right = 0, bottom = 0] = (word ?? []).slice(1).map(Number);
    expect(right).toBeGreaterThan(left);
    expect(bottom).toBeGreaterThan(top);
  });

  it('ALTO has them, too, and names the engine', async () => {
    const { text } = await caller.get(`${path}?format=alto`);
    expect(text).toContain('http://www.loc.gov/standards/alto/ns-v4#');
    expect(text).toContain('pdf-text');
    for (const word of ['Invoice', '0042', '&amp;', 'Total', 'last']) expect(text).toContain(`CONTENT="${word}"`);
  });

  it('has one page where one is asked for', async () => {
    const last = await caller.get(`${path}?format=text&page=3`);
    expect(last.text).toBe('The last page');
    const hocr = await caller.get(`${path}?format=hocr&page=3`);
    expect(hocr.text.match(/class="ocr_page"/g)).toHaveLength(1);
    expect(hocr.text).toContain('ppageno 2');
  });
});

it.each([
  [150, 'bbox 0 0 1240 1754; ppageno 0; scan_res 150 150', 'WIDTH="1240" HEIGHT="1754"'],
  [undefined, 'bbox 0 0 2479 3508; ppageno 0; scan_res 300 300', 'WIDTH="2479" HEIGHT="3508"'],
])('a page that was not drawn is in pixels at the resolution of the request: %s', async (dpi, title, size) => {
  const fields = { include: ['words'], ...(dpi && { settings: { dpi } }) };
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Here' }]), fields));
  const file = (format: string) => caller.get(`/v1/ocr/${body.request_id}/output?format=${format}`);
  expect((await file('hocr')).text).toContain(`title="${title}"`);
  expect((await file('alto')).text).toContain(size);
});

describe('a result of which one page has no positions', async () => {
  house.engines.script('reader', says('# Seen\nby a **reader** of pictures'));
  const scan = { picture: { jpeg: await pictureAs('jpeg'), width: 64, height: 48 } };
  const fields = { page_count: 2, include: ['words'], fallback_engine: 'reader', settings: { dpi: 72 } };
  const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Typed words' }, scan]), fields));
  const file = (format: string) => caller.get(`/v1/ocr/${body.request_id}/output?format=${format}`);

  it('has its text in hOCR as a paragraph', async () => {
    const { status, text } = await file('hocr');
    expect(status, text).toBe(200);
    expect(text).toMatch(/class="ocrx_word"[^>]*>Typed</);
    expect(text).toContain(
      '<p class="ocr_par" id="par_2_1" title="bbox 0 0 595 842">Seen\nby a reader of pictures</p>',
    );
  });

  it('has its text in ALTO as strings without places', async () => {
    const { status, text } = await file('alto');
    expect(status, text).toBe(200);
    for (const word of ['Seen', 'reader', 'pictures']) {
      expect(text).toMatch(new RegExp(`<String ID="\\w+" CONTENT="${word}" />`));
    }
  });

  it('is there as a file of all its pages', async () => {
    const available = (await outputsOf(body.request_id)).filter((output) => output.available);
    expect(available.map(({ format }) => format)).toEqual(['hocr', 'alto', 'text', 'markdown', 'csv']);
  });
});

it('the text of a request that asked for no positions', async () => {
  const plain = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Just text' }])));
  expect((await caller.get(`/v1/ocr/${plain.body.request_id}/output?format=text`)).text).toBe('Just text');
});

it('a page on which nothing stands needs no positions', async () => {
  const empty = await caller.ocr(ocrBody('pdf-text', makePdf([{}]), { include: ['words'] }));
  const { status, text } = await caller.get(`/v1/ocr/${empty.body.request_id}/output?format=hocr`);
  expect(status, text).toBe(200);
  expect(text).not.toContain('class="ocrx_word"');
});

interface OutputAnswer {
  readonly format: string;
  readonly available: boolean;
  readonly reason: string | null;
  readonly url: string;
}

async function outputsOf(id: string, who = caller): Promise<readonly OutputAnswer[]> {
  const query = 'query ($id: ID!) { request(id: $id) { outputs { format available reason url } } }';
  return (await ask<{ request: { outputs: OutputAnswer[] } }>(who, query, { id })).data.request.outputs;
}

describe('GraphQL', () => {
  const FORMATS = ['pdf', 'hocr', 'alto', 'text', 'markdown', 'csv'];
  const withReason = (outputs: readonly OutputAnswer[]) =>
    Object.fromEntries(outputs.map(({ format, available, reason }) => [format, available ? null : reason]));
  const allFor = (reason: string) => Object.fromEntries(FORMATS.map((format) => [format, reason]));

  it('says which files there are, and why not the others', async () => {
    const outputs = await outputsOf(sent.body.request_id);
    expect(outputs.filter(({ available }) => available).map(({ format }) => format)).toEqual(FORMATS.slice(1));
    expect(outputs[0]).toMatchObject({
      ...{ format: 'pdf', url: `${path}?format=pdf`, reason: expect.stringMatching(/POST/) },
    });
  });

  it('has none of a request at work', async () => {
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('read');
    });
    const { body } = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    expect(withReason(await outputsOf(body.request_id))).toEqual(allFor('The request has not ended.'));
    gate.open();
    await until('its text is there', async () => withReason(await outputsOf(body.request_id))['text'] === null);
  });

  it('has none of a request that failed', async () => {
    house.engines.script('reader', refuses('I will not read this.'));
    const { body } = await caller.ocr(await pictureBody());
    expect(withReason(await outputsOf(body.request_id))).toEqual(allFor('The request ended without text.'));
  });

  it('has none of what was not retained', async () => {
    const { caller: forgetful } = await house.account({ history: false });
    const { body } = await forgetful.ocr(await pictureBody());
    expect(body.status).toBe('succeeded');
    expect(withReason(await outputsOf(body.request_id, forgetful))).toEqual(allFor('The result was not retained.'));
  });

  it('has the texts alone of what has no positions', async () => {
    const { body } = await caller.ocr(await pictureBody());
    const reason = 'No positions of the text are known.';
    expect(withReason(await outputsOf(body.request_id))).toEqual({
      ...{ pdf: reason, hocr: reason, alto: reason, text: null, markdown: null, csv: null },
    });
  });
});

it('costs nothing, and changes nothing', async () => {
  const before = await caller.get('/v1/usage');
  await caller.get(`${path}?format=hocr`);
  expect((await caller.get('/v1/usage')).body).toEqual(before.body);
});
