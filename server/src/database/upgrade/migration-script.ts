/** The table that records which migrations a database has had. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** A migration as statements, to be run in a transaction of its own. */
export interface MigrationScript {
  readonly name: string;
  readonly statements: readonly string[];
}
