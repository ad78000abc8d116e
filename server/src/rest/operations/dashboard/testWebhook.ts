import { jsonSchema } from '../../contract.ts';
import { presenter } from '../../present.ts';
import type { Hook } from '../../reply.ts';

/** A ping is 202: its outcome appears in the delivery log. */
export const testWebhook: Hook = {
  reply(result, _present, { operation }) {
    return { status: 202, body: presenter(jsonSchema(operation, '202'))(result) as object }; // a delivery
  },
};
