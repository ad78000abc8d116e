import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openHouse } from '../house/house.ts';

it('serves an explorer that needs nothing from elsewhere', async () => {
  await using house = await openHouse();
  const page = await house.stranger.get('/graphiql');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  // Not by `toMatch`: nine megabytes are no text for a message.
  expect(/<(script|link|img)[^>]+(src|href)="https?:/.test(page.text)).toBe(false);
  const script = page.text.slice(page.text.indexOf('<script>') + 8, page.text.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
});
