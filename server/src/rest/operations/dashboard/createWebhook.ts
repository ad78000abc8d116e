import type { Hook } from '../../contract/reply.ts';

/** Answers 201 with the registration and its secret. */
export const createWebhook: Hook = {
  reply: (result, present) => ({ status: 201, body: present(result, 201) as object }), // a registration
};
