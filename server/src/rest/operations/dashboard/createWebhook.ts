import type { Hook } from '../../contract/reply.ts';

/** A new registration is 201, with its secret. */
export const createWebhook: Hook = {
  reply: (result, present) => ({ status: 201, body: present(result, 201) as object }), // a registration
};
