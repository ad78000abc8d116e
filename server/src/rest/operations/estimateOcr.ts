import { bodySchema } from '../contract/contract.ts';
import type { Hook } from '../contract/reply.ts';
import { toInput } from '../contract/to-input.ts';
import { fallbackMode } from './createOcr.ts';

/** `POST /v1/ocr/estimate` takes the body of `POST /v1/ocr`. Unknown fields cost nothing and are not named. */
export const estimateOcr: Hook = {
  variables(call) {
    const request = toInput(bodySchema(call.operation) ?? {}, call.body).input as Record<string, unknown>; // an object
    return { request: { ...request, fallback: fallbackMode(request['fallback']) } };
  },
};
