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

/** Expects what GraphQL answers when a call is refused as a whole: one error, with the code of the REST envelope. */
export function expectGraphqlError(reply: Reply<unknown>, status: number, code: string): void {
  const body = reply.body as { errors?: { message: string; extensions: { code: string } }[] }; // checked below
  const codes = body.errors?.map(({ extensions }) => extensions.code);
  expect({ status: reply.status, codes }, reply.text.slice(0, 500)).toEqual({ status, codes: [code] });
  expect(body).not.toHaveProperty('error');
}
