import { expect, it } from 'vitest';
import { adminCommand } from '../house/command.ts';

it.each([[[]], [['account']], [['account', 'lst']]])('refuses %j, which says nothing to do', async (args) => {
  const { exitCode, message } = await adminCommand(args, {});
  expect({ exitCode, message }).toEqual({ exitCode: 1, message: expect.stringMatching(/command/) });
});

it.each([
  ['of values', { PORT: 'many', LOG_LEVEL: 'loud' }, /^The settings are not usable:\n {2}PORT: .+\n {2}LOG_LEVEL: /],
  ['of a folder', { DATA_DIR: '/dev/null/data' }, /^DATA_DIR: the folder cannot be made: ENOTDIR/],
  [
    'of a database',
    { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' },
    /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:9 cannot be used/,
  ],
])('says a mistake in the settings, %s, as a start does, and that it is one', async (_what, env, sentence) => {
  for (const command of [['account', 'list'], ['doctor'], ['backup']]) {
    const { exitCode, body } = await adminCommand(command, env);
    expect([exitCode, body]).toEqual([
      1,
      { error: { code: 'invalid_request', message: expect.stringMatching(sentence) } },
    ]);
  }
});
