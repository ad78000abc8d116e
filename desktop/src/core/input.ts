import { z } from 'zod';
import { Refused } from './refused.ts';

/** A text that says something. */
export function text(most: number): z.ZodString {
  return z.string().max(most).regex(/\S/);
}

export const ID = text(100);

/** The input as the schema has it; throws `Refused` with the first thing that is wrong. */
export function parsed<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const { data, error } = schema.safeParse(input);
  if (!error) return data;
  const [issue] = error.issues;
  // Sentences of the schemas are for people as they are; zod's own words need the field's name.
  const words = issue?.code === 'custom' ? issue.message : `${issue?.path.join('.') || 'input'}: ${issue?.message}`;
  throw new Refused(words);
}
