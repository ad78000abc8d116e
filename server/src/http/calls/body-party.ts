import type { ClientAddress } from '../../accounts/callers/client-address.ts';
import { addressBucket } from '../../platform/address-bucket.ts';
import type { PartyOf } from '../../rest/body/read-body.ts';

/** The party that a body is counted for: the account, or the address of a caller without one (of IPv6 its /64). */
export function partiesBy(addressOf: ClientAddress): PartyOf {
  return (req, accountId) => accountId ?? `address ${addressBucket(addressOf(req))}`;
}
