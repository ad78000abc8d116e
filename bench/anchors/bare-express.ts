import express from 'express';

/** Express with one route. Argument: port. */
const app = express();
app.get('/readyz', (_req, res) => {
  res.json({ status: 'ready' });
});
app.listen(Number(process.argv[2]), '127.0.0.1');
