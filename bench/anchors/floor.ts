import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { Agent, request } from 'undici';

/**
 * The least that an honest gateway can do, with Express 5, node-postgres and undici: one INSERT commit, the engine's
 * call, one UPDATE commit; and the reads beside it, with JSON. Arguments: port, database URL, engine URL, catalogue.
 */
const [port, databaseUrl, engineUrl = '', catalogue = '{}'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
await pool.query('create table if not exists floor (id text primary key, engine text, status text, result text)');
const agent = new Agent({ connections: 256 });
const engines: unknown = JSON.parse(catalogue);
const app = express();
app.use(express.json({ limit: '11mb' }));

interface Body {
  engine: string;
  input: { data_base64: string };
}

async function callEngine(body: Body): Promise<string> {
  const url = `data:image/png;base64,${body.input.data_base64}`;
  const content = [
    { type: 'text', text: 'Transcribe the page.' },
    { type: 'image_url', image_url: { url } },
  ];
  const answer = await request(`${engineUrl}/chat/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages: [{ role: 'user', content }] }),
  });
  const read = (await answer.body.json()) as { choices: { message: { content: string } }[] }; // the bench's own engine
  return read.choices[0]?.message.content ?? '';
}

app.post('/v1/ocr', async (req, res) => {
  const id = randomUUID();
  const body = req.body as Body; // the bench's own load
  await pool.query('insert into floor (id, engine, status) values ($1, $2, $3)', [id, body.engine, 'processing']);
  const text = await callEngine(body);
  await pool.query('update floor set status = $2, result = $3 where id = $1', [id, 'succeeded', text]);
  res.json({ request_id: id, status: 'succeeded', extracted_text: text });
});

app.post('/parse', async (req, res) => {
  res.json({ extracted_text: await callEngine(req.body as Body) });
});

app.get('/v1/ocr/:id', async (req, res) => {
  const { rows } = await pool.query('select * from floor where id = $1', [req.params.id]);
  res.json(rows[0]);
});

app.get('/v1/engines', (_req, res) => {
  res.json(engines);
});

app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
