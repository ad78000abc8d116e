import { expect, it } from 'vitest';
import { adminCommand } from '../house/command.ts';

it.each([[[]], [['account']], [['account', 'lst']]])('refuses %j, which says nothing to do', async (args) => {
  const { exitCode, message } = await adminCommand(args, {});
  expect({ exitCode, message }).toEqual({ exitCode: 1, message: expect.stringMatching(/command/) });
});
