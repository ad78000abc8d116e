import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../../../test/house/until.ts';
import { hangUpOf } from './hang-up.ts';

it('aborts when the caller leaves, and not when the answer is out', async () => {
  const answers: { res: ServerResponse; signal: AbortSignal }[] = [];
  await using server = createServer((_req, res) => answers.push({ res, signal: hangUpOf(res)() }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const leaving = connect(port, '127.0.0.1');
  leaving.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('the first call is there', () => answers.length === 1);
  leaving.destroy();
  await until('it is noticed', () => answers[0]?.signal.aborted === true);
  const staying = fetch(`http://127.0.0.1:${port}`);
  await until('the second call is there', () => answers.length === 2);
  answers[1]?.res.end('done');
  expect(await (await staying).text()).toBe('done');
  server.closeAllConnections();
  await until('its connection has ended', () => answers[1]?.res.closed === true);
  expect(answers[1]?.signal.aborted).toBe(false);
  const late = answers[0]?.res;
  expect(late && hangUpOf(late)().aborted).toBe(true);
});
