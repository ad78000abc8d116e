import type { Hook } from '../../contract/reply.ts';

/** A ping is 202: its outcome appears in the delivery log. */
export const testWebhook: Hook = {
  reply: (result, present) => ({ status: 202, body: present(result, 202) as object }), // a delivery
};
