import { z } from 'zod';
import { unread } from '../../model/reading.ts';
import type { HttpAnswer } from './exchange.ts';
import { faultOf, httpEnding } from './failure.ts';

/** The form in which some gateways report a provider's failure inside an HTTP 200. */
const HIDDEN_ERROR = z.object({ error: z.unknown().refine((error) => error !== null && error !== undefined) });
const CODE = z.object({ error: z.object({ code: z.coerce.number().int().min(400).max(599) }) });

/** The reading of an HTTP 2xx whose body is not an answer to the call. Whether it is billed is unknown. */
export function malformedAnswer(answer: HttpAnswer, json: unknown, { secret, shape }: Wanted) {
  const providerRequestId = answer.header('x-request-id') ?? answer.header('request-id');
  const known = { billed: 'unknown', providerRequestId } as const;
  if (HIDDEN_ERROR.safeParse(json).success) {
    const status = CODE.safeParse(json).data?.error.code ?? 502;
    return unread({ ...known, ending: httpEnding({ ...faultOf(answer), status }, secret) });
  }
  const message = `The engine’s answer has not the shape of ${shape}.`;
  return unread({ ...known, ending: { kind: 'failed', message, temporary: true, httpStatus: answer.status } });
}

interface Wanted {
  /** The secret, which never appears in the message. */
  readonly secret: string | null;
  /** The expected form, such as `a chat completion`. */
  readonly shape: string;
}
