import { expect } from 'vitest';
import type { RawAnswer } from './raw-request.ts';

/** Expects the envelope with the headers of every answer, on a connection that ends with it. */
export function expectRawError({ status, text }: RawAnswer, expected: { status: number; code: string }): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(status, text.slice(0, 500)).toBe(expected.status);
  expect(text.match(/HTTP\/1\.1 \d{3} /g), text.slice(0, 1000)).toHaveLength(1);
  expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/);
  expect(head).toMatch(/\r\nX-API-Version: \d{4}-\d{2}-\d{2}\r\n/);
  expect(head).toMatch(/\r\nX-Request-Id: req_\w+\r\n/);
  expect(head).toMatch(/\r\nConnection: close(\r\n|$)/);
  expect(head).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`);
  expect(JSON.parse(body)).toEqual({ error: { code: expected.code, message: expect.stringMatching(/\S/) } });
}
