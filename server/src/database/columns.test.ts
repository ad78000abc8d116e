import 'reflect-metadata';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { expect, it } from 'vitest';
import { columnNames, recordset, selectionOf } from './columns.ts';

class Thing {
  id = '';
  notes: string[] = [];
  createdAt = new Date();
  replayed = false;
}

// Tests are transformed without decorators: they are called as the functions that they are.
PrimaryKey({ type: 'text' })(Thing.prototype, 'id');
Property({ type: 'json', fieldName: 'warnings' })(Thing.prototype, 'notes');
Property({ type: 'Date', columnType: 'timestamptz' })(Thing.prototype, 'createdAt');
Property({ persist: false, type: 'boolean' })(Thing.prototype, 'replayed');
Entity({ tableName: 'thing' })(Thing);

it('selects the stored columns of a row under the names of the class', () => {
  expect(selectionOf(Thing, 'r')).toBe('r.id as "id", r.warnings as "notes", r.created_at as "createdAt"');
  expect(selectionOf(Thing, 'r', { without: ['notes'], as: { createdAt: 'now()' } })).toBe(
    'r.id as "id", now() as "createdAt"',
  );
  const columns = { warnings: "'[]'", created_at: 'null' };
  expect(selectionOf(Thing, 'r', { columns, as: { createdAt: 'now()' } })).toBe(
    'r.id as "id", \'[]\' as "notes", now() as "createdAt"',
  );
});

it('names columns and their types', () => {
  expect(columnNames(Thing, ['id', 'createdAt'])).toBe('id, created_at');
  expect(columnNames(Thing, ['notes'], 't')).toBe('t.warnings');
  expect(recordset(Thing, ['id', 'notes', 'createdAt'])).toBe('id text, warnings jsonb, created_at timestamptz');
});

it('knows no column that the table has not', () => {
  expect(() => columnNames(Thing, ['replayed'])).toThrow('Thing.replayed is no column');
});
