import { MIGRATIONS } from './migrations/index.ts';
import { openMigrator } from './migrator.ts';
import type { MigrationScript } from './upgrade/migration-script.ts';

/** The statements of every migration of this program. Makes the table that records migrations where it is missing. */
export async function migrationScripts(url: string): Promise<MigrationScript[]> {
  const orm = await openMigrator(url);
  try {
    await orm.migrator.getExecuted(); // makes the table that records them
    const scripts: MigrationScript[] = [];
    for (const Class of MIGRATIONS) {
      const migration = new Class(orm.em.getDriver(), orm.config);
      await migration.up();
      const statements = migration.getQueries().map((query) => {
        if (typeof query !== 'string') throw new Error(`${Class.name} is not made of SQL texts`);
        return query;
      });
      scripts.push({ name: Class.name, statements });
    }
    return scripts;
  } finally {
    await orm.close(true);
  }
}
