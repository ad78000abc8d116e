import { afterAll, expect, it } from 'vitest';
import { openHouse } from '../house/house.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { Socket } from '../house/socket.ts';
import { runSql } from '../house/sql.ts';
import { until } from '../house/until.ts';

const house = await openHouse();
afterAll(() => house[Symbol.asyncDispose]());

const READ = 'query Read($id: ID!) { ocrPages(requestId: $id, first: 1) { nodes { text } } }';

it('what fails on our side is in the log under the id that its caller was told, whichever way it came', async () => {
  const { caller, apiKey } = await house.account();
  const { body } = await caller.ocr(await pictureBody());
  const id = body.request_id;
  await runSql(house.databaseUrl, 'alter table ocr_page rename to ocr_page_elsewhere');

  const rest = await caller.get(`/v1/ocr/${id}`);
  expect([rest.status, rest.body.error?.code]).toEqual([500, 'internal_error']);
  const query = JSON.stringify({ query: READ, variables: { id } });
  const http = await caller.call<{ errors: { extensions: object }[] }>('POST', '/graphql', {
    headers: { 'content-type': 'application/json' },
    body: query,
  });
  expect(http.body.errors.map(({ extensions }) => extensions)).toEqual([{ code: 'internal_error' }]);
  await using socket = await new Socket(house.product.url).enter({ authorization: `Bearer ${apiKey}` });
  expect((await socket.answered(`{ ocrPages(requestId: "${id}", first: 1) { nodes { text } } }`)).codes).toEqual([
    'internal_error',
  ]);

  const lines = await until('all three are in the log', () => {
    const found = house.product
      .logs()
      .split('\n')
      .filter((line) => line.includes('a call failed'));
    return found.length >= 3 && found.map((line) => JSON.parse(line));
  });
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line.err).toMatchObject({ code: '42P01', message: expect.stringContaining('ocr_page') });
  const told = [rest, http].map(({ headers }) => headers['x-request-id']);
  expect(lines.map(({ requestId }) => requestId).toSorted()).toEqual([...told, undefined].toSorted());
});
