import type { ServerResponse } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { wire } from '../../../server/src/engines/adapters/docling/wire.ts';
import { ScriptedProvider } from '../../../server/src/engines/adapters/wires/scripted-provider.ts';
import { TEXT } from '../../../server/src/engines/adapters/wires/wire-type.ts';
import { openHouse } from '../../house/house.ts';
import { pictureBody } from '../../house/ocr-body.ts';
import { readSql } from '../../house/sql.ts';
import { until } from '../../house/until.ts';

const AT_ONCE = 24;
/** As long as the amount of the wire's text: its places fit. */
const FIRST_AMOUNT = 10_000;

if (typeof wire.positions !== 'object') throw new Error('the wire has no answer with positions');
const PLACED = JSON.stringify(wire.positions.body);

const docling = await ScriptedProvider.start();
const engines = {
  placed: { adapter: 'docling', base_url: docling.origin, api_key: 'x', probe: false, concurrency: 64 },
};
const house = await openHouse({ engines });
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  await docling[Symbol.asyncDispose]();
});

/** What the provider answers of one page, with a text that no other page has. */
function answerOf(amount: number): string {
  return PLACED.replaceAll(TEXT, `Total ${amount}`);
}

it('requests that end in one statement keep their own lines, beside some without any', async () => {
  const { accountId, caller } = await house.account();
  const held: ServerResponse[] = [];
  docling.script({ handle: (response) => held.push(response) });
  const wanted = (n: number) => (n % 3 === 2 ? {} : { include: n % 3 ? ['words'] : ['lines'] });
  const sent = Array.from({ length: AT_ONCE }, async (_, n) => caller.ocr(await pictureBody('placed', wanted(n))));
  await until('all pages are with the provider', () => held.length === AT_ONCE);
  for (const [n, response] of held.entries()) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answerOf(FIRST_AMOUNT + n));
  }

  const answers = (await Promise.all(sent)).map(({ body }) => body);
  expect(new Set(answers.map(({ extracted_text: text }) => text)).size).toBe(AT_ONCE);
  for (const [n, answer] of answers.entries()) {
    const stored = await caller.get<typeof answer>(`/v1/ocr/${answer.request_id}`);
    expect(stored.body.page_results).toEqual(answer.page_results);
    const lines = stored.body.page_results?.flatMap((page) => page.lines ?? []).map(({ text }) => text);
    expect(lines).toEqual(n % 3 === 2 ? undefined : [answer.extracted_text]);
  }

  const together = await readSql<{ requests: number }>(
    house.databaseUrl,
    `select count(*)::int as requests from page_layout l join ocr_request r on r.id = l.request_id
     where r.account_id = '${accountId}' group by l.xmin order by 1 desc`,
  );
  expect(together[0]?.requests).toBeGreaterThan(1);
});
