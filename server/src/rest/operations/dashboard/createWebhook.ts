import { jsonSchema } from '../../contract.ts';
import { presenter } from '../../present.ts';
import type { Hook } from '../../reply.ts';

/** A new registration is 201, with its secret. */
export const createWebhook: Hook = {
  reply(result, _present, { operation }) {
    return { status: 201, body: presenter(jsonSchema(operation, '201'))(result) as object }; // a registration
  },
};
