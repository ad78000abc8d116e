import { Field, ID, InterfaceType } from 'type-graphql';
import { isUuid } from '../../platform/ids.ts';

/** Types by the beginning of their ids. The id of an account is a UUID, and that of an engine its name. */
const TYPES = [
  ['ocr_', 'OcrRequest'],
  ['key_', 'ApiKey'],
  ['whd_', 'WebhookDelivery'],
  ['wh_', 'Webhook'],
] as const;

export type NodeTypeName = (typeof TYPES)[number][1] | 'Account' | 'Engine';

/** The type that an id belongs to, whether there is such an object or not. */
export function nodeTypeOf(id: string): NodeTypeName {
  const [, name] = TYPES.find(([beginning]) => id.startsWith(beginning)) ?? [];
  return name ?? (isUuid(id) ? 'Account' : 'Engine');
}

@InterfaceType({
  description: 'Something that can be read again by its id alone, with `node`.',
  resolveType: ({ id }: Node) => nodeTypeOf(id),
})
export abstract class Node {
  @Field(() => ID, { description: 'Its id, of which there is no second one of any type.' })
  id!: string;
}
