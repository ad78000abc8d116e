/** Workers say every 5 s that they live; after 10 s without them their leases end, and others take their work. */
const LATE_MS = 10_000;
const SILENT_MS = 30_000;

/** How a worker is by its last heartbeat; null when it never sent one. */
export function workerState(
  lastHeartbeatAt: string | null,
  nowMs: number,
): 'healthy' | 'degraded' | 'down' | 'no-data' {
  if (lastHeartbeatAt === null) return 'no-data';
  const silentMs = nowMs - Date.parse(lastHeartbeatAt);
  if (silentMs >= SILENT_MS) return 'down';
  return silentMs >= LATE_MS ? 'degraded' : 'healthy';
}
