import { withoutQuery } from '../../platform/egress/without-query.ts';
import type { Effective } from '../model/effective.ts';

/** An effective request as it is shown: addresses and native settings may hold what is the account's alone. */
export function shownRequest(effective: Effective, isOwn: boolean): Record<string, unknown> {
  if (isOwn) return { ...effective };
  const { native, url, webhookUrl, ...rest } = effective;
  return { ...rest, url: withoutQuery(url), webhookUrl: withoutQuery(webhookUrl), native: Object.keys(native ?? {}) };
}
