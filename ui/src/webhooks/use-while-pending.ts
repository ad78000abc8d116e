import { useEffect, useRef } from 'react';
import { type DeliveryEntry, isOnItsWay, nextLookMs } from './on-its-way.ts';

/** Looks again as long as something is on its way: deliveries have no subscription. */
export function useWhilePending(deliveries: readonly DeliveryEntry[], look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  const isPending = isOnItsWay(deliveries);
  useEffect(() => {
    if (!isPending) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (looks: number): void => {
      timer = setTimeout(() => {
        latest.current();
        wait(looks + 1);
      }, nextLookMs(looks));
    };
    wait(0);
    return () => clearTimeout(timer);
  }, [isPending]);
}
