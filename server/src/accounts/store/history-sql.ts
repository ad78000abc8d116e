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
  const inTime = finishedAt ? ` and not ${isPast(finishedAt)}` : '';
  return `(select ${isOn(createdAt)}${inTime} from account owner where owner.id = ${accountId})`;
}

/**
 * Whether the days are over for which an account keeps what its request read, as SQL. What is shown of the request is then
 * what a deletion leaves, whenever that comes.
 */
export function isExpired(accountId: Qualified, finishedAt: Qualified): string {
  return `coalesce((select ${isPast(finishedAt)} from account owner where owner.id = ${accountId}), false)`;
}

/**
 * A join that looks at the account of a request once. `life.keeps` is what `keepsText` says, `life.is_over` what `isExpired`
 * does. `life.is_off`: history has been switched off since the text was kept, and its deletion is still to come.
 */
export function withLife(request: string): string {
  const [createdAt, finishedAt] = [`${request}.created_at`, `${request}.finished_at`] as const;
  return `left join lateral (
    select ${isOn(createdAt)} and not ${isPast(finishedAt)} as keeps, ${isPast(finishedAt)} as is_over,
      ${request}.text_retained and not (${isOn(createdAt)}) as is_off
    from account owner where owner.id = ${request}.account_id offset 0) life on true`;
}

function isOn(createdAt: Qualified): string {
  return `owner.history and ${createdAt} > coalesce(owner.history_off_at, '-infinity')`;
}

function isPast(finishedAt: Qualified): string {
  return `coalesce(${finishedAt} <= now() - make_interval(days => owner.text_days), false)`;
}
