import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { sharedHouse } from '../house/shared-house.ts';

/** What Apollo Server itself does not do as GraphQL over HTTP recommends. */
const APOLLOS_OWN = ['572B', 'FDE2', '7B9B'];

it('passes the audits of GraphQL over HTTP, with no more warnings than Apollo has', async () => {
  await using house = await sharedHouse();
  const { apiKey } = await house.account();
  const results = await auditServer({
    url: `${house.product.url}/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${apiKey}` } }),
  });
  const failed = results.flatMap((result) =>
    result.status === 'ok' || result.status === 'notice' ? [] : [`${result.status} ${result.id} ${result.name}`],
  );
  expect(results.length).toBeGreaterThan(50);
  expect(failed.filter((line) => !APOLLOS_OWN.some((id) => line.startsWith(`warn ${id}`)))).toEqual([]);
});
