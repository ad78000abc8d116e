import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { loggedError } from './logged-error.ts';

const SECRET = 'the caller’s own words';

function databaseError(message: string, fields: Partial<pg.DatabaseError>): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { severity: 'ERROR', ...fields });
}

describe('loggedError', () => {
  it('keeps what PostgreSQL says of itself, and nothing of the values', () => {
    const error = databaseError('unsupported Unicode escape sequence', {
      code: '22P05',
      table: 'ocr_request',
      routine: 'json_lex_string',
      detail: `\\u0000 cannot be converted to text. ${SECRET}`,
      where: `JSON data, line 1: {"native": "${SECRET}`,
      internalQuery: `select '${SECRET}'`,
      hint: SECRET,
    });
    const logged = loggedError(error);
    expect(logged).toMatchObject({
      code: '22P05',
      table: 'ocr_request',
      message: 'unsupported Unicode escape sequence',
    });
    expect(JSON.stringify(logged)).not.toContain(SECRET);
  });

  it.each([
    [`invalid input syntax for type uuid: "${SECRET}"`, '22P02', 'invalid input syntax for type uuid'],
    [`value "${SECRET}" is out of range for type bigint`, '22003', 'value'],
    [`invalid input syntax for type json: ${SECRET}\n${SECRET}`, '22P02', 'invalid input syntax for type json'],
  ])('takes the value out of %j', (message, code, kept) => {
    const logged = loggedError(databaseError(message, { code }));
    expect(logged).toMatchObject({ message: kept });
    expect(JSON.stringify(logged)).not.toContain(SECRET);
  });

  it('leaves out what a library hangs onto an error, at every depth', () => {
    const cause = databaseError('duplicate key', { code: '23505', detail: `Key (email)=(${SECRET}) already exists.` });
    const error = Object.assign(new Error('the statement failed', { cause }), { query: SECRET, parameters: [SECRET] });
    const logged = loggedError(error);
    expect(JSON.stringify(logged)).not.toContain(SECRET);
    expect(logged).toMatchObject({
      message: 'the statement failed',
      cause: { message: 'duplicate key', code: '23505' },
    });
    expect((logged as { stack: string }).stack).toContain('logged-error.test.ts');
  });

  it('is bounded, also where errors cause each other', () => {
    const long = new Error('x'.repeat(1_000_000));
    const first = new Error('first', { cause: long });
    long.cause = first;
    expect(JSON.stringify(loggedError(first)).length).toBeLessThan(40_000);
    expect(loggedError('y'.repeat(1_000_000))).toHaveLength(1001);
  });
});
