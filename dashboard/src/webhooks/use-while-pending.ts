import { useEffect, useRef } from 'react';
import type { DeliveryRowFragment } from '../documents.generated.ts';

const LOOK_AGAIN_MS = 1500;

/** Looks again as long as something is on its way: deliveries have no subscription. */
export function useWhilePending(deliveries: readonly Pick<DeliveryRowFragment, 'status'>[], look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  const isPending = deliveries.some(({ status }) => status === 'pending');
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => latest.current(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending]);
}
