import { Refused } from './refused.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the page sends is unknown until it has been looked at; each of these throws `Refused`. */
export function fieldsOf(input: unknown, known: readonly string[]): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Refused('An object is expected.');
  const stranger = Object.keys(input).find((name) => !known.includes(name));
  if (stranger !== undefined) throw new Refused(`There is no field "${stranger}".`);
  return input as Fields; // an object, by the first line
}

export function textOf(fields: Fields, name: string, { most }: { readonly most: number }): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.trim() === '') throw new Refused(`"${name}" must be a text.`);
  if (value.length > most) throw new Refused(`"${name}" must have at most ${most} characters.`);
  return value;
}

export function optionalTextOf(fields: Fields, name: string, limits: { readonly most: number }): string | undefined {
  return fields[name] === undefined ? undefined : textOf(fields, name, limits);
}

export function nullableTextOf(fields: Fields, name: string, limits: { readonly most: number }): string | null {
  return fields[name] === null ? null : textOf(fields, name, limits);
}

export function flagOf(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw new Refused(`"${name}" must be true or false.`);
  return value;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

export function numberOf(fields: Fields, name: string, { least, most }: Range): number {
  const value = fields[name];
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new Refused(`"${name}" must be a number from ${least} to ${most}.`);
  }
  return value;
}

export function countOf(fields: Fields, name: string, range: Range): number {
  const value = numberOf(fields, name, range);
  if (!Number.isInteger(value)) throw new Refused(`"${name}" must be a whole number.`);
  return value;
}
