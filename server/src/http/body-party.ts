import type { ClientAddress } from '../accounts/callers/client-address.ts';
import { addressBucket } from '../platform/address-bucket.ts';
import type { PartyOf } from '../rest/body/read-body.ts';

/** Bodies are counted by account; those of callers without one by their address, of IPv6 by its /64. */
export function partiesBy(addressOf: ClientAddress): PartyOf {
  return (req, accountId) => accountId ?? `address ${addressBucket(addressOf(req))}`;
}
