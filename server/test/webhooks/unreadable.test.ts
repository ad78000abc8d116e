import { afterAll, expect, it } from 'vitest';
import { until } from '../../../test/house/until.ts';
import { verified, WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
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
import { PostOffice } from './post-office.ts';
import { loggedIn } from './webhook-routes.ts';

const office = await PostOffice.open();
const receiver = await WebhookReceiver.start();
afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Nobody submits anything here. */
const nobody = {} as Submissions;

it('a request that cannot be read back is told as failed, with the engine and the cost it ended with', async () => {
  const results = new Results(new RequestLookup(office.pool));
  const loaders = requestLoaders(office.pool, {
    positions: new PositionTurns({ hasOthers: () => false }),
    texts: { pool: office.pool, turns: new TextTurns() },
  });
  const body = new WebhookBody({
    schema: makeSchema([new RequestsResolver(nobody, results, loaders, null as never)]),
    contract: readContract(),
    contextOf: (accountId) => ({ caller: loggedIn(accountId) }),
    log: makeLog('silent'),
  });
  office.startJob({ render: (announcement) => body.render(announcement) });
  const { accountId, secret } = await office.account();
  // Its delivery is there, its own row is not.
  const id = await office.announce(accountId, receiver.at('/unreadable'), 'refunded');
  const [received] = await receiver.gets('/unreadable');
  expect(received && verified(received, secret)).toEqual({
    event: 'ocr.completed',
    request_id: id.replace('whd_', 'ocr_'),
    status: 'failed',
    engine: 'reader',
    extracted_text: null,
    extracted_text_preview: null,
    cost_usd: 0.004,
    provider_latency_ms: null,
    provider_error: expect.stringMatching(/could not be read back/),
    warning: null,
    timestamp: expect.stringMatching(/Z$/),
  });
});

it('a body that cannot be made leaves the delivery for later instead of losing it', async () => {
  const broken = await PostOffice.open();
  try {
    let works = false;
    let tries = 0;
    const render = async () => {
      tries += 1;
      if (!works) throw new Error('no database');
      return '{}';
    };
    broken.startJob({ render });
    const { accountId } = await broken.account();
    const id = await broken.announce(accountId, receiver.at('/later'));
    await until('it was tried', () => tries > 0);
    expect(await broken.state(id)).toMatchObject({ status: 'pending', attempt: 0 });
    works = true;
    await broken.pool.query('update webhook_delivery set next_attempt_at = now() where id = $1', [id]);
    expect((await broken.ended(id)).at(-1)).toMatchObject({ status: 'delivered' });
  } finally {
    await broken[Symbol.asyncDispose]();
  }
});
