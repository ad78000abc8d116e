/**
 * Whether texts of an account's request may be kept and shown, as SQL: the account keeps history, and has not had it off
 * since the request was accepted. Who writes with an older snapshot may keep a text by mistake; who reads judges anew.
 * Not a join: a plan that is made while the table is empty could go through all requests of the account. The statement
 * around it must not call anything else `account`.
 */
export function keepsText(accountId: string, createdAt: string): string {
  return `(select owner.history and ${createdAt} > coalesce(owner.history_off_at, '-infinity')
    from account owner where owner.id = ${accountId})`;
}
