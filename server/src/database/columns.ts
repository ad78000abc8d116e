import { MetadataStorage, UnderscoreNamingStrategy } from '@mikro-orm/core';

type Class<T> = abstract new () => T;
type Property<T> = keyof T & string;

/** A column, as a decorated class declares it. */
interface Column {
  readonly property: string;
  readonly name: string;
  readonly type: string;
}

const NAMING = new UnderscoreNamingStrategy();

/** PostgreSQL's names for the types of properties. A property of another type has a `columnType`. */
const SQL_TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  uuid: 'uuid',
  smallint: 'smallint',
  integer: 'int',
  bigint: 'bigint',
  boolean: 'boolean',
  json: 'jsonb',
};

export interface SelectionOptions<T> {
  readonly without?: readonly Property<T>[];
  /** SQL in place of a column. */
  readonly as?: { readonly [name in Property<T>]?: string };
  /** Likewise, by the names of columns; `as` goes before it. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** The select list for `row`, a row of the class's table, under the names of the class: `r.account_id as "accountId", …`. */
export function selectionOf<T extends object>(
  entity: Class<T>,
  row: string,
  { without = [], as = {}, columns = {} }: SelectionOptions<T> = {},
): string {
  const replaced = as as Readonly<Record<string, string | undefined>>;
  return columnsOf(entity)
    .filter(({ property }) => !(without as readonly string[]).includes(property))
    .map(({ property, name }) => `${replaced[property] ?? columns[name] ?? `${row}.${name}`} as "${property}"`)
    .join(', ');
}

/** The names of columns, for `insert into t (…)`; with `row`, the columns of that row, for the `select` of the insert. */
export function columnNames<T extends object>(
  entity: Class<T>,
  properties: readonly Property<T>[],
  row?: string,
): string {
  return picked(entity, properties)
    .map(({ name }) => (row === undefined ? name : `${row}.${name}`))
    .join(', ');
}

/** The column definitions for `json_to_recordset(…) as t(…)`: `number int, engine text, …`. */
export function recordset<T extends object>(entity: Class<T>, properties: readonly Property<T>[]): string {
  return picked(entity, properties)
    .map(({ name, type }) => `${name} ${type}`)
    .join(', ');
}

function picked<T extends object>(entity: Class<T>, properties: readonly Property<T>[]): Column[] {
  const columns = new Map(columnsOf(entity).map((column) => [column.property, column]));
  return properties.map((property) => {
    const column = columns.get(property);
    if (!column) throw new Error(`${entity.name}.${property} is no column`);
    return column;
  });
}

/** The stored properties of a class, in the order in which it declares them. */
function columnsOf<T extends object>(entity: Class<T>): Column[] {
  const path = (entity as unknown as Record<symbol, string>)[MetadataStorage.PATH_SYMBOL];
  const { properties } = MetadataStorage.getMetadata(entity.name, path ?? '');
  return Object.values(properties)
    .filter(({ persist }) => persist !== false)
    .map((declared) => {
      const { name, type, fieldName, columnType } = declared as unknown as Declared;
      const sqlType = columnType ?? SQL_TYPES[type];
      if (sqlType === undefined) throw new Error(`${entity.name}.${name} has no type that is known here`);
      return { property: name, name: fieldName ?? NAMING.propertyToColumnName(name), type: sqlType };
    });
}

/** A property as its decorator declares it; the ORM adds the rest only where it opens the class. */
interface Declared {
  readonly name: string;
  readonly type: string;
  readonly fieldName?: string;
  readonly columnType?: string;
}
