import { runJson } from './child.ts';

/** A command of the admin program of a built checkout, on a database: what it prints. */
export function adminOf(databaseUrl: string, project = '.') {
  return (...args: string[]) =>
    runJson<Record<string, string>>([`${project}/server/dist/admin/main.js`, ...args], { DATABASE_URL: databaseUrl });
}
