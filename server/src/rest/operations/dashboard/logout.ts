import type { Hook } from '../../reply.ts';

/** Logged out is 204, without a body. */
export const logout: Hook = {
  reply: () => ({ status: 204, body: '' }),
};
