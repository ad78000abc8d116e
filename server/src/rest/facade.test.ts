import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, parse } from 'graphql';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '../platform/errors.ts';
import { compileContract } from './contract/compile-contract.ts';
import type { Hook } from './contract/reply.ts';
import { Facade, type FacadeDeps } from './facade.ts';

const SCHEMA = buildSchema('type Query { thing(name: String): Thing } type Thing { name: String }');
const THING = { type: 'object', properties: { name: { type: 'string' } } };
const ANSWER = { '200': { description: 'ok', content: { 'application/json': { schema: THING } } } };
const FILE = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};
const NAME = { required: true, content: { 'application/json': { schema: THING } } };
const CONTRACT = {
  openapi: '3.0.3',
  info: { title: 'things', version: '1' },
  paths: {
    '/v1/thing': {
      get: { operationId: 'getThing', security: [], responses: ANSWER },
      post: { operationId: 'putThing', security: [], requestBody: FILE, responses: ANSWER },
      patch: { operationId: 'nameThing', security: [], requestBody: NAME, responses: ANSWER },
    },
  },
};

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());
afterEach(() => server?.close());

/** A facade over two operations, which answer with the name that they are given. */
async function serve(hooks: Readonly<Record<string, Hook>>, more: Partial<FacadeDeps<string>> = {}): Promise<string> {
  const document = parse('query thing($name: String) { result: thing(name: $name) { name } }');
  Object.assign(SCHEMA.getQueryType()?.getFields()['thing'] ?? {}, {
    resolve: (_: unknown, { name }: { name?: string }) => ({ name: name ?? 'nothing' }),
  });
  const facade = new Facade<string>({
    reads: { run: (_caller, _res, work) => work() },
    authorise: () => undefined,
    renew: async (caller) => caller,
    context: () => ({}),
    contract: await compileContract(CONTRACT),
    schema: SCHEMA,
    documents: new Map([
      ['getThing', document],
      ['putThing', document],
      ['nameThing', document],
    ]),
    bodies: { read: () => Promise.reject(new Error('the body was read')) },
    hooks,
    onRefusal: () => undefined,
    slowResponseMs: 10_000,
    slowResponseBeatMs: 10_000,
    log: pino({ level: 'silent' }),
    ...more,
  });
  server = createServer((req, res) => void facade.handle(req, res, 'who calls'));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/thing`;
}

function streamed(stream: Readable, length: number | null = null): Hook {
  return { reply: () => ({ status: 200, headers: { 'Content-Type': 'application/pdf' }, body: { stream, length } }) };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('sends a stream with its type, and with its length where that is known', async () => {
  const known = await fetch(
    await serve({ getThing: streamed(Readable.from([Buffer.from('one'), Buffer.from('two')]), 6) }),
  );
  expect(Object.fromEntries(known.headers)).toMatchObject({ 'content-type': 'application/pdf', 'content-length': '6' });
  expect(await known.text()).toBe('onetwo');
  const unknown = await fetch(await serve({ getThing: streamed(Readable.from([Buffer.from('one')])) }));
  expect(unknown.headers.get('transfer-encoding')).toBe('chunked');
  expect(await unknown.text()).toBe('one');
});

it('destroys a stream of which HEAD wants the headers alone', async () => {
  const stream = Readable.from([Buffer.from('one')]);
  const { status, headers } = await fetch(await serve({ getThing: streamed(stream, 3) }), { method: 'HEAD' });
  expect([status, headers.get('content-length'), stream.destroyed]).toEqual([200, '3', true]);
});

it('destroys a stream whose reader has gone', async () => {
  const endless = new Readable({ read: () => endless.push(Buffer.alloc(16_384)) });
  const reading = request(await serve({ getThing: streamed(endless) }));
  reading.end();
  const answer = await new Promise<IncomingMessage>((resolve) => reading.once('response', resolve));
  expect(endless.destroyed).toBe(false);
  answer.destroy();
  await until(() => endless.destroyed);
});

it('destroys a stream whose headers cannot be sent', async () => {
  const stream = Readable.from([Buffer.from('one')]);
  const body = { stream, length: 3 };
  const getThing: Hook = { reply: () => ({ status: 200, headers: { 'Content-Type': 'a\nb' }, body }) };
  expect((await fetch(await serve({ getThing }))).status).toBe(500);
  expect(stream.destroyed).toBe(true);
});

it('destroys a stream that comes when its reader has gone already', async () => {
  const stream = Readable.from([Buffer.from('one')]);
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const getThing: Hook = {
    async reply() {
      asked.resolve();
      await gone.promise;
      return { status: 200, body: { stream, length: 3 } };
    },
  };
  const address = await serve({ getThing });
  server?.once('request', (_req, res) => res.once('close', () => gone.resolve()));
  const reading = request(address).on('error', () => undefined);
  reading.end();
  await asked.promise;
  reading.destroy();
  await until(() => stream.destroyed);
});

it('breaks the connection off where a stream breaks, so that a part never passes for the whole', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('one');
      throw new Error('the source broke');
    })(),
  );
  const answer = await fetch(await serve({ getThing: streamed(broken) }));
  await expect(answer.text()).rejects.toThrow();
});

it('leaves a body to the operation that takes it, with who calls', async () => {
  const putThing: Hook = {
    async receive(req, call, { caller }) {
      let bytes = 0;
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      return { name: `${call.operation.operationId}: ${bytes} bytes of ${caller}` };
    },
  };
  const body = Buffer.alloc(3_000_000);
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(await serve({ putThing }), { method: 'POST', headers, body });
  expect(await answer.json()).toEqual({ name: 'putThing: 3000000 bytes of who calls' });
});

it('answers what the taking of a body throws', async () => {
  const putThing: Hook = {
    receive: () => Promise.reject(new AppError('payload_too_large', 'That is too much.')),
  };
  const answer = await fetch(await serve({ putThing }), { method: 'POST', body: Buffer.alloc(100) });
  expect(answer.status).toBe(413);
});

it('keeps nothing of a body, while it is answered, that its operation does not know', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let unknown: WeakRef<object> | undefined;
  const answering = Promise.withResolvers<void>();
  const kept: unknown[] = [];
  const url = await serve(
    { nameThing: { slow: ({ body }) => kept.push(body) > 0 } },
    {
      bodies: {
        read: async () => {
          const junk = [[], []];
          unknown = new WeakRef(junk);
          return { value: { name: 'a'.repeat(5), junk }, documents: null };
        },
      },
      context: () => ({ wait: answering.promise }),
    },
  );
  Object.assign(SCHEMA.getQueryType()?.getFields()['thing'] ?? {}, {
    resolve: async (_: unknown, { name }: { name: string }, { wait }: { wait: Promise<void> }) => {
      await wait;
      return { name };
    },
  });
  const answer = fetch(url, { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } });
  await until(() => kept.length > 0);
  await until(() => {
    collect();
    return unknown?.deref() === undefined;
  });
  answering.resolve();
  expect(await (await answer).json()).toEqual({ name: 'aaaaa' });
  expect(kept).toEqual([{ name: 'aaaaa' }]);
});
