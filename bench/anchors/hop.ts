import { randomUUID } from 'node:crypto';
import BeeQueue from 'bee-queue';
import express from 'express';
import pg from 'pg';
import { Agent, request } from 'undici';

/**
 * The bare hop from a request to the start of its work: one commit and a function call, or bee-queue and one commit.
 * Arguments: `all`, `api` or `worker`; port, database URL, engine URL, and the Redis URL for the last two.
 */
const [role, port, databaseUrl, engineUrl, redisUrl] = process.argv.slice(2);
const QUEUE = 'bench-hop';
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
await pool.query('create table if not exists hop (id text primary key, body jsonb, started_at timestamptz)');
const agent = new Agent();

async function start(body: Body): Promise<void> {
  await pool.query('insert into hop (id, body, started_at) values ($1, $2, now())', [randomUUID(), body]);
  const answer = await request(`${engineUrl}/chat/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: body.input.data_base64 }] }),
  });
  await answer.body.dump();
}

interface Body {
  input: { data_base64: string };
}

function queue(isWorker: boolean): BeeQueue<Body> {
  return new BeeQueue<Body>(QUEUE, { redis: { url: redisUrl }, isWorker, getEvents: false, storeJobs: false });
}

function listen(take: (body: Body) => Promise<unknown>): void {
  const app = express();
  app.use(express.json({ limit: '11mb' }));
  app.post('/v1/ocr', async (req, res) => {
    await take(req.body as Body); // the bench's own body
    res.status(202).json({ status: 'processing' });
  });
  app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
}

if (role === 'worker') {
  const jobs = queue(true);
  jobs.process(1, (job) => start(job.data));
  jobs.on('ready', () => console.log('ready'));
} else if (role === 'api') {
  const jobs = queue(false);
  listen((body) => jobs.createJob(body).save());
} else {
  listen(async (body) => void start(body));
}
