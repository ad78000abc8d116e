/** Where migrations are recorded that a database has had. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** A migration as statements, for who runs it in a transaction of their own. */
export interface MigrationScript {
  readonly name: string;
  readonly statements: readonly string[];
}
