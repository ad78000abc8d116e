import { FAULT_POINTS, type FaultPoint } from '../../server/src/platform/fault.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { until } from '../house/until.ts';
import { Composer } from './compose.ts';
import type { Evidence } from './invariants.ts';
import { OUTCOMES, type Outcome } from './marker.ts';
import type { CancelAfter, SentKind } from './sent.ts';
import { openSite } from './site.ts';
import { Trial } from './trial.ts';

/** A step of a request's life at which its process dies, and what kind of request it is. */
export interface KillPoint {
  readonly point: FaultPoint;
  readonly kind: Exclude<SentKind, 'batch'>;
  readonly outcome: Outcome;
}

/** Every step × synchronous and asynchronous × success, refusal, error and timeout, as far as the step is met. */
export const KILL_POINTS: readonly KillPoint[] = FAULT_POINTS.flatMap((point) =>
  kindsAt(point).flatMap((kind) => outcomesAt(point).map((outcome) => ({ point, kind, outcome }))),
);

function kindsAt(point: FaultPoint): KillPoint['kind'][] {
  if (point === 'page-recorded') return ['large'];
  if (point === 'cancel-marked') return ['async', 'large'];
  // Synchronous requests have no webhook.
  return point.includes('webhook') ? ['async'] : ['sync', 'async'];
}

/** What ends soon is not there to be cancelled. */
function outcomesAt(point: FaultPoint): Outcome[] {
  const isSlow = (outcome: Outcome) => outcome === 'slow' || outcome === 'timeout';
  return OUTCOMES.filter((outcome) => (point === 'cancel-marked' ? isSlow(outcome) : outcome !== 'slow'));
}

/** A job is cancelled with some pages read and others under way; its caller asks once, and is not answered. */
function cancelAfter({ point, kind, outcome }: KillPoint): CancelAfter | null {
  if (point !== 'cancel-marked') return null;
  return { how: 'cancel', pages: kind === 'large' && outcome === 'slow' ? 2 : 0, ms: 0 };
}

/** Lets the product die there once, starts it again as an operator does, and says what does not hold then. */
export async function dieAt(
  killPoint: KillPoint,
  databaseUrl: string,
): Promise<{ evidence: Evidence; broken: readonly string[] }> {
  const { point, kind, outcome } = killPoint;
  await using site = await openSite({ redis: false, databaseUrl, fault: `${point}:1` });
  await using trial = await Trial.open(site);
  const { client, receiver } = trial;
  const webhookAt = kind === 'sync' ? null : (path: string) => receiver.at(path);
  const composer = new Composer(new SeededRandom(1));
  const wish = { kind, engine: 'metered', outcome, webhookAt, cancelAfter: cancelAfter(killPoint) } as const;
  const sent = await composer.compose(wish);
  const seen = client.see(sent);
  seen.catch(() => undefined); // awaited below
  const [product] = site.products;
  await until(`the product dies at ${point}`, () => product?.current.running === false);
  await product?.mortal.kill();
  await product?.mortal.recovered();
  await seen;
  const { evidence, broken } = await trial.judge([sent], { product: true, crashes: [] });
  if (point !== 'cancel-marked' || evidence.rows.every((row) => row.isCancelled)) return { evidence, broken };
  return { evidence, broken: [...broken, 'what was marked did not end as cancelled'] };
}
