import { z } from 'zod';

/**
 * A list in a provider's answer, whose items have this form; with `least` items. Unlike zod's own list it is left at the first item
 * that is wrong: millions of them would be reported one by one, while everybody waits.
 */
export function listOf<Item extends z.ZodType>(item: Item, least = 0) {
  return z.array(z.unknown()).transform((given, context): z.output<Item>[] => {
    if (given.length < least) return wrong(context, `has less than ${least} items`);
    const items: z.output<Item>[] = [];
    for (const each of given) {
      const read = item.safeParse(each);
      if (!read.success) return wrong(context, 'has an item of another form');
      items.push(read.data);
    }
    return items;
  });
}

function wrong(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
