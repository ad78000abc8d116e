/** A column with the table it is of. */
type Qualified = `${string}.${string}`;

/**
 * Whether texts of an account's request may be kept and shown, as SQL: the account keeps history, and has not had it off
 * since the request was accepted. Who writes with an older snapshot may keep a text by mistake; who reads judges anew.
 * Not a join: a plan that is made while the table is empty could go through all requests of the account. The statement
 * around it must not call anything else `account`, and its columns have to be qualified: an account has a `created_at`, too.
 *
 * With `finishedAt`, texts that are older than the account keeps them count as gone, whenever they are deleted.
 */
export function keepsText(accountId: Qualified, createdAt: Qualified, finishedAt?: Qualified): string {
  const inTime = finishedAt
    ? ` and coalesce(${finishedAt} > now() - make_interval(days => owner.text_days), true)`
    : '';
  return `(select owner.history and ${createdAt} > coalesce(owner.history_off_at, '-infinity')${inTime}
    from account owner where owner.id = ${accountId})`;
}
