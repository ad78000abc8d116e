import { z } from 'zod';
import { ID, text } from '../input.ts';
import { Refused } from '../refused.ts';
import { gatewayUrl } from './gateway-url.ts';

const ADDRESS = text(2000).transform((address, context) => {
  try {
    return gatewayUrl(address);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** A profile as the page may send it, or as the file holds it. */
export const PROFILE = z.strictObject({
  id: ID.optional(),
  name: text(60).trim(),
  url: ADDRESS,
  colour: text(7)
    .toLowerCase()
    .refine((colour) => /^#[0-9a-f]{6}$/.test(colour), 'The colour must be written as #rrggbb.'),
  readOnly: z.boolean(),
  production: z.boolean(),
  // It becomes a header: a line break in it would begin another one.
  token: text(4096)
    .trim()
    .refine((token) => /^[\x21-\x7e]+$/.test(token), 'The key has characters that no key has.')
    .optional(),
});
