import type { Target } from '../attack.ts';

/**
 * What an attack makes of its target beforehand, for `prepare` and `run` alike: made once, so that none of the time of the attack
 * goes into it.
 */
export function onceFor<Made>(make: (target: Target) => Promise<Made>): (target: Target) => Promise<Made> {
  const made = new WeakMap<Target, Promise<Made>>();
  return (target) => {
    const making = made.get(target) ?? make(target);
    made.set(target, making);
    return making;
  };
}
