import { withClient } from '../../house/with-client.ts';
import type { Attack } from '../attack.ts';
import { holdSockets } from '../held-sockets.ts';
import { storeRequests } from '../stored-requests.ts';
import { onceFor } from './once-for.ts';

const STORED = 20_000;

const stored = onceFor(({ databaseUrl, owner }) =>
  withClient(databaseUrl, (client) => storeRequests(client, owner.accountId, STORED)),
);

export const unreadExports: Attack = {
  name: 'twenty connections that ask for all that an account has and read nothing',
  finding: 'S3',
  prepare: stored,
  run: async (target, signal) => {
    await stored(target);
    const { dashboardUrl, owner } = target;
    const head = `GET /api/export HTTP/1.1\r\nHost: ${new URL(dashboardUrl).host}\r\nCookie: ${owner.cookie}\r\n\r\n`;
    await holdSockets(dashboardUrl, 20, head, signal, { reading: false });
  },
};
