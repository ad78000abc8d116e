import type { ProfileInput } from '../../shared/profile.ts';
import { fieldsOf, flagOf, optionalTextOf, textOf } from '../fields.ts';
import { Refused } from '../refused.ts';
import { gatewayUrl } from './gateway-url.ts';

const FIELDS = ['id', 'name', 'url', 'colour', 'readOnly', 'production', 'token'];

/** A profile as the page may send it. */
export function profileInput(input: unknown): ProfileInput {
  const fields = fieldsOf(input, FIELDS);
  const id = optionalTextOf(fields, 'id', { most: 100 });
  const token = optionalTextOf(fields, 'token', { most: 4096 })?.trim();
  const colour = textOf(fields, 'colour', { most: 7 }).toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new Refused('The colour must be written as #rrggbb.');
  // It becomes a header: a line break in it would begin another one.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new Refused('The key has characters that no key has.');
  return {
    ...(id !== undefined && { id }),
    name: textOf(fields, 'name', { most: 60 }).trim(),
    url: gatewayUrl(textOf(fields, 'url', { most: 2000 })),
    colour,
    readOnly: flagOf(fields, 'readOnly'),
    production: flagOf(fields, 'production'),
    ...(token !== undefined && { token }),
  };
}
