import { describe, expect, it } from 'vitest';
import { rawRequest } from '../house/raw-request.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse();
const { accountId, apiKey } = await house.account();
const { cookie } = await house.admin.createSession(accountId, new URL(house.product.dashboardUrl));

/** The status of a GET of a target that no URL parser would let through. */
async function status(url: string, target: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const headers = { Host: 'localhost', Connection: 'close', Accept: 'application/json', ...more };
  const lines = Object.entries(headers).map(([header, text]) => `${header}: ${text}`);
  return (await rawRequest(url, [`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`])).status;
}

describe('a path that looks like an address', () => {
  it.each(['//', '///', '//[', '//[/api/usage', '//a:b@c:99999/'])('%s is nothing at the dashboard', async (target) => {
    expect(await status(house.product.dashboardUrl, target)).toBe(404);
  });

  it('is the end of /graphql as any other, in both places', async () => {
    const authorization = { Authorization: `Bearer ${apiKey}` };
    const query = `?query=${encodeURIComponent('{ __typename }')}`;
    expect(await status(house.product.url, `/graphql//${query}`, authorization)).toBe(200);
    expect(await status(house.product.url, '/graphql//', authorization)).toBe(400);
    expect(await status(house.product.dashboardUrl, '/graphql//', { Cookie: cookie })).toBe(400);
  });
});

describe('a Host that no policy can name', () => {
  it.each(['a;b', 'a,b', 'a$&b', "a'b"])('%s gets the page, and is not in its policy', async (host) => {
    const raw = await rawRequest(house.product.dashboardUrl, [
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    ]);
    expect(raw.status).toBe(200);
    expect(raw.text).not.toContain(host);
  });
});
