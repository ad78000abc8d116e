import type { Log } from '../logging/log.ts';
import type { Dispatch } from './dispatch.ts';
import { InProcessDispatch } from './in-process.ts';

/** Over Redis where there is one; loaded only then. */
export async function openDispatch(redisUrl: string | null, log: Log): Promise<Dispatch> {
  if (redisUrl === null) return new InProcessDispatch();
  const { BeeDispatch } = await import('./bee.ts');
  return new BeeDispatch(redisUrl, log);
}
