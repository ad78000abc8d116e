import { describe, expect, it } from 'vitest';
import { refuses, says } from '../../house/engine-answers.ts';
import { expectError } from '../../house/expect-error.ts';
import { makeGate } from '../../house/gate.ts';
import { ocrBody, pictureBody } from '../../house/ocr-body.ts';
import { makePdf } from '../../house/pdf.ts';
import { pictureAs } from '../../house/pictures.ts';
import { sharedHouse } from '../../house/shared-house.ts';

const house = await sharedHouse();
const owner = await house.account();
const { caller } = owner;
const located = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Here' }]), { include: ['words'] }));
const path = `/v1/ocr/${located.body.request_id}/output`;

describe('400', () => {
  it.each(['', '?format=', '?format=docx', '?format=json', '?format=text&page=0', '?format=text&page=x'])(
    'a query that breaks a rule: %s',
    async (query) => expectError(await caller.get(path + query), 400, 'invalid_request'),
  );

  it('a page that the request has not read', async () => {
    expectError(await caller.get(`${path}?format=text&page=2`), 400, 'invalid_request', /page/);
  });

  it('a request that runs', async () => {
    const gate = makeGate();
    house.engines.script('reader', async () => {
      await gate.opened;
      return says('late');
    });
    const running = await caller.ocr(await pictureBody('reader', { mode: 'async' }));
    const reply = await caller.get(`/v1/ocr/${running.body.request_id}/output?format=text`);
    expectError(reply, 400, 'invalid_request', /not ended/);
    gate.open();
    house.engines.reset();
  });
});

it('400 for a request that ended without text', async () => {
  house.engines.script('reader', refuses('No.'));
  const { body } = await caller.ocr(await pictureBody());
  for (const format of ['text', 'hocr', 'pdf']) {
    const reply = await caller.get(`/v1/ocr/${body.request_id}/output?format=${format}`);
    expectError(reply, 400, 'invalid_request', /ended as `failed`/);
  }
  house.engines.reset();
});

it('401 without a key', async () => {
  expectError(await house.stranger.get(`${path}?format=text`), 401, 'authentication_error');
});

it('403 with a key that may only send', async () => {
  const { caller: sender } = await house.account({ scopes: ['ocr:write'] });
  expectError(await sender.get(`${path}?format=text`), 403, 'insufficient_scope');
});

it('404 for a request of another account, and for one that nobody has', async () => {
  const { caller: other } = await house.account();
  expectError(await other.get(`${path}?format=text`), 404, 'not_found');
  expectError(await caller.get('/v1/ocr/ocr_00000000000000000000000000/output?format=text'), 404, 'not_found');
});

describe('409', () => {
  it.each(['hocr', 'alto', 'pdf'])('%s of a request that asked for no positions', async (format) => {
    const plain = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Just text' }])));
    const reply = await caller.get(`/v1/ocr/${plain.body.request_id}/output?format=${format}`);
    expectError(reply, 409, 'positions_missing', /include/);
  });

  it('of an engine that tells no positions', async () => {
    house.engines.script('reader', says('Words without places'));
    const blind = await caller.ocr(await pictureBody('reader', { include: ['words'] }));
    const reply = await caller.get(`/v1/ocr/${blind.body.request_id}/output?format=hocr`);
    expectError(reply, 409, 'positions_missing');
  });

  it('of a page without positions alone, where other pages have some', async () => {
    house.engines.script('reader', says('Words without places'));
    const scan = { picture: { jpeg: await pictureAs('jpeg'), width: 64, height: 48 } };
    const fields = { page_count: 2, include: ['words'], fallback_engine: 'reader' };
    const { body } = await caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Typed' }, scan]), fields));
    for (const format of ['hocr', 'alto', 'pdf']) {
      const reply = await caller.get(`/v1/ocr/${body.request_id}/output?format=${format}&page=2`);
      expectError(reply, 409, 'positions_missing');
    }
  });
});

describe('410', () => {
  it('a PDF, because documents are not kept', async () => {
    expectError(await caller.get(`${path}?format=pdf`), 410, 'result_not_retained', /POST/);
  });

  it('a result that was not retained', async () => {
    const { caller: other } = await house.account({ history: false });
    const { body } = await other.ocr(ocrBody('pdf-text', makePdf([{ text: 'Here' }]), { include: ['words'] }));
    expectError(await other.get(`/v1/ocr/${body.request_id}/output?format=text`), 410, 'result_not_retained');
  });

  it('a result from before history was turned off', async () => {
    const other = await house.account();
    const { body } = await other.caller.ocr(ocrBody('pdf-text', makePdf([{ text: 'Here' }]), { include: ['words'] }));
    await house.admin.setHistory(other.accountId, false);
    const reply = await other.caller.get(`/v1/ocr/${body.request_id}/output?format=hocr`);
    expectError(reply, 410, 'result_not_retained');
    expect(reply.text).not.toContain('Here');
  });
});
