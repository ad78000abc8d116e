import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { requirePublicUrl } from '../../../platform/egress/egress.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AlertChannelKind } from './alert-channel.ts';

export interface TargetOptions {
  readonly allowPrivateCidrs: readonly string[];
  /** Whether there is a mail server. */
  readonly sendsMail: boolean;
  /** Resolves names to addresses; by default as the system does. */
  readonly lookup?: LookupFunction;
}

/** The target of a channel, divided into what is shown and what is secret. */
export interface Target {
  readonly shown: string;
  /** The secret part; null where there is none. */
  readonly hidden: string | null;
}

const LONGEST_URL = 2000;
const LONGEST_LABEL = 200;
const MOST_ADDRESSES = 10;
const ADDRESS = z.email().max(254);

/** Checks a target. Throws `invalid_request` for one that alerts cannot be sent to. */
export async function targetOf(kind: AlertChannelKind, target: string, options: TargetOptions): Promise<Target> {
  if (kind === 'email') return { shown: addressesIn(target, options).join(', '), hidden: null };
  if (target.length > LONGEST_URL) {
    throw new AppError('invalid_request', `target: is longer than ${LONGEST_URL} characters.`);
  }
  const { allowPrivateCidrs: allowCidrs, lookup } = options;
  const url = await requirePublicUrl(target, { allowCidrs, field: 'target', ...(lookup && { lookup }) });
  return kind === 'slack' ? { shown: `${url.origin}/…`, hidden: url.href } : { shown: url.href, hidden: null };
}

/** The label as it is stored. Throws `invalid_request` for an empty one, or one that is too long. */
export function labelOf(label: string): string {
  const kept = label.trim();
  if (kept !== '' && kept.length <= LONGEST_LABEL) return kept;
  throw new AppError('invalid_request', `label: must have 1 to ${LONGEST_LABEL} characters.`);
}

function addressesIn(target: string, { sendsMail }: TargetOptions): string[] {
  if (!sendsMail) throw new AppError('invalid_request', 'kind: e-mail needs the setting SMTP_URL of the service.');
  const addresses = target.split(',').map((address) => address.trim());
  if (addresses.length > MOST_ADDRESSES) {
    throw new AppError('invalid_request', `target: has more than ${MOST_ADDRESSES} addresses.`);
  }
  const wrong = addresses.find((address) => !ADDRESS.safeParse(address).success);
  if (wrong === undefined) return addresses;
  throw new AppError('invalid_request', `target: "${wrong.slice(0, 100)}" is no e-mail address.`);
}
