import type { Hook } from '../../contract/reply.ts';

/** Answers 204 without a body. */
export const deleteWebhook: Hook = {
  reply: () => ({ status: 204, body: '' }),
};
