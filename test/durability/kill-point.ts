import { FAULT_POINTS, type FaultPoint } from '../../server/src/platform/fault.ts';
import { SeededRandom } from '../house/seeded-random.ts';
import { until } from '../house/until.ts';
import { Composer } from './compose.ts';
import { OUTCOMES, type Outcome } from './marker.ts';
import type { SentKind } from './sent.ts';
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
  kindsAt(point).flatMap((kind) =>
    OUTCOMES.filter((outcome) => outcome !== 'slow').map((outcome) => ({ point, kind, outcome })),
  ),
);

function kindsAt(point: FaultPoint): KillPoint['kind'][] {
  if (point === 'page-recorded') return ['large'];
  // Synchronous requests have no webhook.
  return point.includes('webhook') ? ['async'] : ['sync', 'async'];
}

/** Lets the product die there once, starts it again as an operator does, and says what does not hold then. */
export async function dieAt({ point, kind, outcome }: KillPoint, databaseUrl: string): Promise<string[]> {
  await using site = await openSite({ redis: false, databaseUrl, fault: `${point}:1` });
  await using trial = await Trial.open(site);
  const { client, receiver } = trial;
  const webhookAt = kind === 'sync' ? null : (path: string) => receiver.at(path);
  const composer = new Composer(new SeededRandom(1));
  const sent = await composer.compose({ kind, engine: 'metered', outcome, webhookAt });
  const seen = client.see(sent);
  seen.catch(() => undefined); // awaited below
  const [product] = site.products;
  await until(`the product dies at ${point}`, () => product?.current.running === false);
  await product?.mortal.kill();
  await product?.mortal.recovered();
  await seen;
  return (await trial.judge([sent], { product: true, crashes: [] })).broken;
}
