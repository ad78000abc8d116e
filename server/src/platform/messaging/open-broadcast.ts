import type { Log } from '../logging/log.ts';
import { type Broadcast, NoBroadcast } from './broadcast.ts';

/** Over Redis where there is one; loaded only then. */
export async function openBroadcast(redisUrl: string | null, log: Log): Promise<Broadcast> {
  if (redisUrl === null) return new NoBroadcast();
  const { RedisBroadcast } = await import('./redis-broadcast.ts');
  return new RedisBroadcast(redisUrl, log);
}
