/** How an engine stands, from worst to best, as both faces show it. */
export type EngineState = 'down' | 'degraded' | 'no-data' | 'disabled' | 'healthy';

export const STATE_ORDER: readonly EngineState[] = ['down', 'degraded', 'no-data', 'disabled', 'healthy'];

interface EngineSigns {
  /** `healthy`, `degraded`, `unhealthy` or `unknown`. */
  readonly health: string;
  /** `disabled`, `unhealthy`, `resting`, or null when it takes requests. */
  readonly obstacle?: string | null;
}

/** The one state that an engine is shown in: the operator's switch counts before what probes say. */
export function engineState({ health, obstacle }: EngineSigns): EngineState {
  if (obstacle === 'disabled') return 'disabled';
  if (obstacle === 'unhealthy' || obstacle === 'resting' || health === 'unhealthy') return 'down';
  if (health === 'degraded') return 'degraded';
  return health === 'healthy' ? 'healthy' : 'no-data';
}

/** Sorts the worst first. */
export function compareStates(a: EngineState, b: EngineState): number {
  return STATE_ORDER.indexOf(a) - STATE_ORDER.indexOf(b);
}
