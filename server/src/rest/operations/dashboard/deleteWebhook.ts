import type { Hook } from '../../contract/reply.ts';

/** What is removed is 204, without a body. */
export const deleteWebhook: Hook = {
  reply: () => ({ status: 204, body: '' }),
};
