import { count } from '@ocr-router/ui/format/count.ts';

/** Calls a minute that a tier allows a key. */
const PER_KEY: Readonly<Record<string, number>> = { free: 60, pro: 300, scale: 1200 };
/** What all logins of an account may make together, where its tier does not allow more. */
const LEAST_OF_LOGINS = 300;

/** `free: 60 calls a minute per key, 300 by all logins together`. */
export function tierWords(tier: string): string {
  if (tier === 'unlimited') return `${tier}: no limit`;
  const most = PER_KEY[tier];
  if (most === undefined) return `${tier}: its own limit`;
  const logins = Math.max(most, LEAST_OF_LOGINS);
  return `${tier}: ${count(most)} calls a minute per key, ${count(logins)} by all logins together`;
}
