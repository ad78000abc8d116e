import type { Hook } from '../../contract/reply.ts';

/** Answers 202: the outcome of the ping appears in the delivery log. */
export const testWebhook: Hook = {
  reply: (result, present) => ({ status: 202, body: present(result, 202) as object }), // a delivery
};
