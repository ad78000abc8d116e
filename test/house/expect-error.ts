import { expect } from 'vitest';
import type { ErrorAnswer } from './answers.ts';
import type { Reply } from './caller.ts';

/** Expects the specification's envelope: this status, this code, a message for the caller, and nothing it rules out. */
export function expectError(reply: Reply<unknown>, status: number, code: string, message?: RegExp): void {
  const body = reply.body as ErrorAnswer; // checked below, value by value
  expect({ status: reply.status, code: body.error?.code }, reply.text.slice(0, 500)).toEqual({ status, code });
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(body.error.message).toEqual(expect.stringMatching(message ?? /\S/));
  expect(body).not.toHaveProperty('status');
  expect(body.error).not.toHaveProperty('status');
  expect(body.error).not.toHaveProperty('type');
}
