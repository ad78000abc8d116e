import type { Pool } from '../../src/database/pool.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { PositionTurns } from '../../src/requests/places/position-turns.ts';
import { RequestsResolver } from '../../src/requests/show/requests.resolver.ts';
import { Results } from '../../src/requests/show/results.ts';
import { RequestLookup } from '../../src/requests/store/find.ts';
import { requestLoaders } from '../../src/requests/store/request-loaders.ts';
import { TextTurns } from '../../src/requests/store/texts/text-turns.ts';
import type { Submissions } from '../../src/requests/submit/submit.ts';
import { readContract } from '../../src/rest/contract/contract.ts';
import { WebhookBody } from '../../src/rest/webhook-body.ts';
import type { Announcement } from '../../src/webhooks/deliver.job.ts';
import { loggedIn } from './webhook-routes.ts';

/** Nobody submits anything here. */
const nobody = {} as Submissions;

/** Renders bodies as the service does, of the requests in a database. */
export function renderingOf(pool: Pool, turns = new TextTurns()): (announcement: Announcement) => Promise<string> {
  const texts = { pool, turns };
  const loaders = requestLoaders(pool, { positions: new PositionTurns({ hasOthers: () => false }), texts });
  const results = new Results(new RequestLookup(pool, texts));
  const body = new WebhookBody({
    schema: makeSchema([new RequestsResolver(nobody, results, loaders, null as never)]),
    contract: readContract(),
    contextOf: (accountId) => ({ caller: loggedIn(accountId) }),
    log: makeLog('silent'),
  });
  return (announcement) => body.render(announcement);
}
