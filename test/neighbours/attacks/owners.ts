import { request } from 'undici';
import { withClient } from '../../house/with-client.ts';
import type { Attack, Target } from '../attack.ts';
import { persist } from '../persist.ts';
import { storeRequests } from '../stored-requests.ts';
import { ask, byLogin, whole } from './ask.ts';
import { onceFor } from './once-for.ts';

const STORED = 5000;

const stored = onceFor(async ({ databaseUrl, owner, share }) => {
  const requests = STORED * share;
  await withClient(databaseUrl, (client) => storeRequests(client, owner.accountId, requests));
  return requests;
});

const QUESTIONS = [
  '{ usageSummary { byKey { cost } byEngine { cost } } }',
  '{ requests(first: 100) { nodes { id status cost } } }',
  '{ requests(first: 100, filter: { status: ["failed", "rejected"] }) { nodes { id } } }',
  '{ requests(first: 100, filter: { chargedFailures: true }) { nodes { id } } }',
];

/** An owner's login that asks for usage, lists and sums, each as often as it is answered, over thousands of requests. */
export const heavyReports: Attack = {
  name: 'a login that asks for usage, lists and sums side by side',
  finding: 'C2',
  prepare: stored,
  run: async (target, signal) => {
    const { accountId, cookie } = target.owner;
    const requests = await stored(target);
    const usage = async (page: number, until: AbortSignal) => {
      const url = `${target.dashboardUrl}/api/usage?user_id=${accountId}&per_page=100&page=${page}`;
      const { statusCode, body } = await request(url, { headers: { cookie }, signal: until });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the usage was answered ${statusCode}`);
    };
    await usage(1, whole());
    for (const question of QUESTIONS) await askOwner(target, question, whole());
    let n = 0;
    await Promise.all([
      persist(signal, { width: 4, pauseMs: 0 }, () => usage(1 + (n++ % (requests / 100)), signal)),
      persist(signal, { width: 8, pauseMs: 0 }, () => {
        n += 1;
        return askOwner(target, QUESTIONS[n % QUESTIONS.length] ?? '', signal);
      }),
    ]);
  },
};

/** Each switching off has all texts deleted. */
export const switchedHistory: Attack = {
  name: 'history switched off and on again and again',
  finding: 'A9',
  prepare: stored,
  run: async (target, signal) => {
    await stored(target);
    let on = false;
    const turn = (which: boolean) => `mutation { setHistory(on: ${which}) { id } }`;
    await askOwner(target, turn(on), whole());
    await persist(signal, { pauseMs: 10 }, () => {
      on = !on;
      return askOwner(target, turn(on), signal);
    });
    await askOwner(target, turn(true), whole());
  },
};

/** Throws what the question was refused with. */
function askOwner(target: Target, query: string, signal: AbortSignal): Promise<string> {
  return ask({ ...byLogin(target, target.owner), body: { query } }, signal);
}
