/** What a program's database is called. These never change: what exists is found by them. */
export interface Names {
  /** The database, and its owner, who may do anything in it. */
  readonly database: string;
  /** The role that reads and writes rows and does nothing else. */
  readonly service: string;
  /**
   * The program itself, in its processes' titles. Under root, which PostgreSQL refuses, also the system user that is made
   * where there is none called `postgres`, and the folder for what has to lie outside of a home.
   */
  readonly program: string;
}
