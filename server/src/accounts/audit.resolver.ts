import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { DEFAULT_PAGE_SIZE, pageSize } from '../database/paging/page-size.ts';
import { requireScope } from './callers/caller.ts';
import type { Context } from './callers/context.ts';
import type { Audit } from './store/audit.ts';
import { AuditPage } from './store/audit.type.ts';

/** What operators did, for operators. */
@Resolver()
export class AuditResolver {
  constructor(private readonly audit: Audit) {}

  @Query(() => AuditPage, { description: 'What operators did, newest first; operators only.' })
  auditLog(
    @Arg('subject', () => String, { nullable: true, description: 'Only what was done to this id.' })
    subject: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: DEFAULT_PAGE_SIZE, description: 'Entries on one page, 1 to 100.' })
    first: number,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before.' })
    after: string | null | undefined,
    @Arg('from', () => Date, { nullable: true, description: 'What began at this time or later.' })
    from: Date | null | undefined,
    @Arg('to', () => Date, { nullable: true, description: 'What began before this time.' })
    to: Date | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AuditPage> {
    requireScope(caller, 'operator');
    const time = { from: from ?? null, to: to ?? null };
    return this.audit.page({ subject: subject ?? null, size: pageSize(first), after: after ?? null, ...time });
  }
}
