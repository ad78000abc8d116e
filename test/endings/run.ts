import { openAdmin } from '../../server/dist/admin/admin.js';
import { startCluster } from '../house/cluster.ts';
import { measureEndings } from './measure.ts';
import { showEndings } from './show-endings.ts';

/** `npm run -s endings`, on a built product: how every ending of every adapter ends for the caller, as Markdown. */
const cluster = await startCluster();
try {
  const databaseUrl = await cluster.createDatabase();
  await using admin = await openAdmin(databaseUrl);
  console.log(showEndings(await measureEndings(databaseUrl, admin)));
} finally {
  await cluster.stop();
}
