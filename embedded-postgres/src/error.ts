export type EmbeddedPostgresProblem =
  /** Another process has the folder's database. */
  | 'in_use'
  /** The record of the folder's database belongs to another user. */
  | 'record_unreadable'
  /** The database was made by another major version of PostgreSQL. */
  | 'other_major_version'
  /** No package has PostgreSQL for this platform. */
  | 'unsupported_platform'
  /** The platform's package was left out when the packages were installed. */
  | 'not_installed'
  /** This process is root, and there is no user for PostgreSQL. */
  | 'no_system_user'
  /** This process is root, and PostgreSQL's user can enter no folder that both could use. */
  | 'no_shared_folder'
  /** The system cannot run PostgreSQL's programs. */
  | 'not_runnable';

/** A problem outside of the database. The message says what it is, the program that uses it what can be done. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly problem: EmbeddedPostgresProblem;

  constructor(problem: EmbeddedPostgresProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
