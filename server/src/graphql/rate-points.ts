import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { Caller } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { type RateLimiter, type RateState, rateLimited } from '../accounts/callers/rate-limit.ts';
import { AppError } from '../platform/errors.ts';
import { rootFields } from './call/root-fields.ts';

/**
 * Charges every root field as a call of the rate limit, so that aliases are no way around it; the HTTP call has paid for the
 * first.
 */
export function ratePoints(limiter: RateLimiter): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation, document, contextValue: { caller }, response }) {
          const more = operation ? rootFields(operation, document).length - 1 : 0;
          if (!caller || more <= 0) return;
          const state = await takePoints(limiter, caller, more);
          if (caller.via !== 'session') response.http.headers.set('x-ratelimit-remaining', String(state.remaining));
          if (state.allowed) return;
          const refused = tooMany(state);
          response.http.status = 429;
          response.http.headers.set('retry-after', String(refused.extensions['retry_after_seconds']));
          throw refused;
        },
      };
    },
  };
}

/**
 * Tenths of the schema that an account may ask for in a minute, with all its keys: reading the schema keeps everybody else
 * waiting, and no program needs it often.
 */
const SCHEMA_TENTHS = 300;
const SCHEMA_RULE = 'An account may ask for the whole schema 30 times a minute, or for as much of it in parts.';

/** Takes a document's tenths from the account's; answers the 429 where they do not suffice. */
export async function schemaRefusal(
  limiter: Pick<RateLimiter, 'spend'>,
  { accountId }: Caller,
  tenths: number,
): Promise<AppError | null> {
  const spend = () => limiter.spend(`schema:${accountId}`, SCHEMA_TENTHS, SCHEMA_RULE);
  try {
    await Promise.all(Array.from({ length: tenths }, spend));
    return null;
  } catch (error) {
    return asRefusal(error);
  }
}

/** Answers the error where it is one that callers are told; throws any other one. */
export function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Takes points, at least one, from a key or from an account's logins. */
export async function takePoints(limiter: RateLimiter, caller: Caller, points: number): Promise<RateState> {
  const [first, ...more] = Array.from({ length: Math.max(1, points) }, () => limiter.hit(caller));
  const states = await Promise.all([first ?? limiter.hit(caller), ...more]);
  return states.at(-1) ?? states[0];
}

/** The 429 of REST, as a GraphQL error. */
export function tooMany(refusal: RateState | AppError): GraphQLError {
  const { code, message, details } = refusal instanceof AppError ? refusal : rateLimited(refusal);
  return new GraphQLError(message, { extensions: { code, retry_after_seconds: details.retryAfterSeconds } });
}
