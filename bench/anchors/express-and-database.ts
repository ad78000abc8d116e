import { mkdirSync } from 'node:fs';
import express from 'express';
import { startEmbedded } from '../../server/src/database/embedded.ts';
import { makeLog } from '../../server/src/platform/logging/log.ts';

/** Makes and starts an embedded PostgreSQL, then Express with one route. Arguments: port, data folder. */
const [port, dataDir = ''] = process.argv.slice(2);
mkdirSync(dataDir, { recursive: true });
const database = await startEmbedded({ dataDir, log: makeLog('warn') });
process.once('SIGTERM', () => void database[Symbol.asyncDispose]().then(() => process.exit(0)));
const app = express();
app.get('/readyz', (_req, res) => {
  res.json({ status: 'ready' });
});
app.listen(Number(port), '127.0.0.1');
