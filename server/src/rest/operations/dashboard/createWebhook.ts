import { jsonSchema } from '../../contract/contract.ts';
import { presenter } from '../../contract/present.ts';
import type { Hook } from '../../contract/reply.ts';

/** A new registration is 201, with its secret. */
export const createWebhook: Hook = {
  reply(result, _present, { operation }) {
    return { status: 201, body: presenter(jsonSchema(operation, '201'))(result) as object }; // a registration
  },
};
