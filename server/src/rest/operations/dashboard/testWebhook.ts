import { jsonSchema } from '../../contract/contract.ts';
import { presenter } from '../../contract/present.ts';
import type { Hook } from '../../contract/reply.ts';

/** A ping is 202: its outcome appears in the delivery log. */
export const testWebhook: Hook = {
  reply(result, _present, { operation }) {
    return { status: 202, body: presenter(jsonSchema(operation, '202'))(result) as object }; // a delivery
  },
};
