import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { isOperator } from '../accounts/callers/account-scope.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { Audit } from '../accounts/store/audit.ts';

/** Mutations that are not recorded: a request has a record of its own, and a login concerns nobody else. */
const NOT_RECORDED = new Set([
  'submitOcr',
  'submitOcrBatch',
  'login',
  'register',
  'logout',
  'endSession',
  'logoutEverywhere',
  'renewSessionToken',
]);
/** Arguments that may name the subject, the most telling first. */
const SUBJECTS = ['id', 'requestId', 'accountId', 'deliveryId', 'attemptId', 'email'] as const;
/** Arguments that are not recorded. The target of an alert channel may be a URL that is a key by itself. */
const SECRETS = new Set(['password', 'idempotencyKey', 'target']);

type Resolve = GraphQLFieldResolver<unknown, Context>;

/**
 * Records every mutation that a caller with `operator` makes, except those in `NOT_RECORDED`; one that is added later is
 * recorded, too.
 */
export function audited(schema: GraphQLSchema, audit: Audit): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (NOT_RECORDED.has(field.name)) continue;
    field.resolve = recording(field.name, field.resolve ?? defaultFieldResolver, audit);
  }
  return schema;
}

function recording(action: string, resolve: Resolve, audit: Audit): Resolve {
  return (source, args: Record<string, unknown>, context, info) => {
    const { caller } = context;
    const act = () => resolve(source, args, context, info);
    if (!caller || !isOperator(caller)) return act();
    const { accountId, keyId } = caller;
    return audit.record({ via: 'graphql', accountId, keyId, action, ...described(args) }, act);
  };
}

function described(args: Readonly<Record<string, unknown>>) {
  const subject = SUBJECTS.map((name) => args[name]).find((value) => typeof value === 'string') ?? null;
  const details = Object.fromEntries(Object.entries(args).filter(([name]) => !SECRETS.has(name)));
  return { subject: subject as string | null, details }; // `find` looked for strings only
}
