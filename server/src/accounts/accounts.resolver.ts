import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/paging/page-size.ts';
import { isOperator, managedAccount } from './callers/account-scope.ts';
import { requireScope } from './callers/caller.ts';
import type { Context } from './callers/context.ts';
import { Account } from './model/account.ts';
import { AccountPage } from './model/account-page.type.ts';
import { ApiKey } from './model/api-key.ts';
import { CreatedKey } from './model/created-key.type.ts';
import { grantableScopes } from './model/scopes.ts';
import type { AccountList } from './store/account-list.ts';
import type { AccountStore } from './store/account-store.ts';

const OWN_OR_ANY = 'Account id; the caller’s own when absent, another one for operators only.';

/** Accounts and their keys: a login manages its own, operators manage all. */
@Resolver(() => Account)
export class AccountsResolver {
  constructor(
    private readonly store: AccountStore,
    private readonly list: AccountList,
  ) {}

  @Query(() => AccountPage, { description: 'The accounts, by e-mail address; operators only.' })
  accounts(
    @Arg('search', () => String, { nullable: true, description: 'Part of the e-mail address.' })
    search: string | null | undefined,
    @Arg('owing', () => Boolean, { defaultValue: false, description: 'Only accounts that owe something.' })
    owing: boolean,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Accounts on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AccountPage> {
    requireScope(caller, 'operator');
    return this.list.page({ search: search ?? null, owing }, { size: pageSize(first), after: after ?? null });
  }

  @Query(() => Account, { description: 'One account. Needs a login, or `operator`.' })
  account(
    @Arg('id', () => ID, { nullable: true, description: OWN_OR_ANY }) id: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Account> {
    return this.store.find(managedAccount(caller, id));
  }

  @FieldResolver(() => [ApiKey], { description: 'Its keys, newest first.' })
  keys(@Root() account: Account, @Ctx() context: Context): Promise<ApiKey[]> {
    return this.list.keysOf(account.id, context);
  }

  @FieldResolver(() => String, {
    description: 'Signs webhooks to URLs that are no registration of the account (`whsec_…`).',
  })
  signingSecret(@Root() account: Account): string {
    return this.store.signingSecretOf(account);
  }

  @Mutation(() => Account, { description: 'Makes an account; operators only.' })
  createAccount(
    @Arg('email', () => String, { description: 'E-mail address, unique.' }) email: string,
    @Arg('password', () => String, {
      nullable: true,
      description: 'Its password; without one there is no login by it.',
    })
    password: string | null | undefined,
    @Arg('tier', () => String, { defaultValue: 'free', description: 'Rate-limit tier.' }) tier: string,
    @Arg('history', () => Boolean, { defaultValue: true, description: 'Whether texts are kept.' }) history: boolean,
    @Ctx() { caller }: Context,
  ): Promise<Account> {
    requireScope(caller, 'operator');
    return this.store.create({ email, tier, history, emailVerified: true, ...(password != null && { password }) });
  }

  @Mutation(() => CreatedKey, { description: 'Makes a key; at most 50 an account. Needs a login, or `operator`.' })
  async createKey(
    @Arg('accountId', () => ID, { nullable: true, description: OWN_OR_ANY }) accountId: string | null | undefined,
    @Arg('label', () => String, { nullable: true, description: 'A name for people.' }) label: string | null | undefined,
    @Arg('scopes', () => [String], {
      nullable: true,
      description: 'Scopes; `ocr:write`, `ocr:read`, `usage:read` when absent.',
    })
    scopes: string[] | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<CreatedKey> {
    const owner = managedAccount(caller, accountId);
    const granted = grantableScopes(scopes ?? null, isOperator(caller));
    const bounded = !isOperator(caller);
    const { key, text } = await this.store.keys.create(owner, {
      scopes: granted,
      bounded,
      ...(label != null && { label }),
    });
    return { key, apiKey: text };
  }

  @Mutation(() => ApiKey, { description: 'Gives a key another name. Needs a login, or `operator`.' })
  labelKey(
    @Arg('id', () => ID, { description: 'Key id, `key_…`.' }) id: string,
    @Arg('label', () => String, { nullable: true, description: 'The new name; none when absent or empty.' })
    label: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<ApiKey> {
    const owner = managedAccount(caller, null);
    return this.store.keys.label(id, label ?? null, isOperator(caller) ? null : owner);
  }

  @Mutation(() => Date, { description: 'Refuses a key from now on; answers since when. Needs a login, or `operator`.' })
  revokeKey(
    @Arg('id', () => ID, { description: 'Key id, `key_…`.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<Date> {
    const owner = managedAccount(caller, null);
    return this.store.keys.revoke(id, isOperator(caller) ? null : owner);
  }

  @Mutation(() => Account, {
    description:
      'Switches the keeping of texts on or off; off makes them unreadable at once, and deletes them. Needs a login, or `operator`.',
  })
  async setHistory(
    @Arg('on', () => Boolean, { description: 'Whether texts are kept.' }) on: boolean,
    @Arg('accountId', () => ID, { nullable: true, description: OWN_OR_ANY }) accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Account> {
    const owner = managedAccount(caller, accountId);
    await this.store.setHistory(owner, on);
    return this.store.find(owner);
  }

  @Mutation(() => Account, {
    description:
      'Sets for how long texts of finished requests are kept; older ones cannot be read any more, and are deleted within ' +
      'an hour. Needs a login, or `operator`.',
  })
  setRetention(
    @Arg('textDays', () => Int, { nullable: true, description: 'Days, 1 to 3650; for ever when absent.' })
    textDays: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: OWN_OR_ANY }) accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Account> {
    return this.store.setTextDays(managedAccount(caller, accountId), textDays ?? null);
  }
}
