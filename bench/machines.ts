import { Client } from 'pg';
import { migrate } from '../server/dist/database/orm.js';
import { startProduct } from '../test/house/product.ts';
import { RedisServer } from '../test/house/redis.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { treeCpuMs } from './process-figures.ts';
import { show } from './show.ts';
import { instantEngine, load, makeKey, openGround, type Target } from './stage.ts';

const CLIENTS = 16;
const PICTURE = { width: 61, height: 61 };
/** What one more process of each kind may add to the database's work for a request. */
const MOST_MORE = 1.15;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
}

/** Of one request. */
interface Each {
  readonly databaseMs: number;
  readonly serviceMs: number;
  readonly walBytes: number;
  readonly perSecond: number;
}

/** What a request costs where two API processes and two workers share one PostgreSQL and one Redis, beside one of each. */
export async function benchMachines({ rounds, seconds }: Options): Promise<Row[]> {
  await using ground = await openGround();
  await using redis = await RedisServer.start();
  const bodyFile = await writeNoiseBody(ground.folder, PICTURE);
  const open = (processes: number) => openSide({ ground, redisUrl: redis.url, bodyFile, processes });
  await using two = await open(2);
  await using one = await open(1);
  for (const side of [two, one]) await side.measure(seconds); // compiled, as in service
  const pairs = await interleave(
    rounds,
    () => two.measure(seconds),
    () => one.measure(seconds),
  );
  const less = { better: 'less', bar: MOST_MORE } as const;
  const rows = [
    compare({ what: 'PostgreSQL, processor a request', unit: 'ms', ...less }, pairs, (each) => each.databaseMs),
    compare({ what: 'its write-ahead log a request', unit: 'bytes', ...less }, pairs, (each) => each.walBytes),
    compare({ what: 'the service, processor a request', unit: 'ms', ...less, bar: null }, pairs, (e) => e.serviceMs),
    compare({ what: 'all together', unit: 'requests/s', better: 'more', bar: null }, pairs, (each) => each.perSecond),
  ];
  show(`Two API processes and two workers (ours) and one of each (anchor) on one PostgreSQL, ${CLIENTS} clients`, rows);
  return rows;
}

interface SideOptions {
  readonly ground: Awaited<ReturnType<typeof openGround>>;
  readonly redisUrl: string;
  readonly bodyFile: string;
  /** Of each kind. */
  readonly processes: number;
}

async function openSide({ ground, redisUrl, bodyFile, processes }: SideOptions) {
  await using stack = new AsyncDisposableStack();
  const databaseUrl = await makeDatabase(ground.databaseUrl, `machines_${processes}`);
  const options = { databaseUrl, engines: [instantEngine(ground.engineUrl)], env: { REDIS_URL: redisUrl } };
  const apis: Target[] = [];
  const pids: number[] = [];
  const key = await makeKey(databaseUrl);
  for (let i = 0; i < processes; i++) {
    const api = stack.use(await startProduct({ ...options, role: 'api' }));
    const worker = stack.use(await startProduct({ ...options, role: 'worker' }));
    apis.push({ port: Number(new URL(api.url).port), pid: api.pid, key });
    pids.push(api.pid, worker.pid);
  }
  const client = stack.adopt(new Client({ connectionString: databaseUrl }), (open) => open.end());
  await client.connect();
  const walPlace = async () => {
    const { rows } = await client.query<{ at: number }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`);
    return Number(rows[0]?.at);
  };
  const servicesMs = () => pids.reduce((sum, pid) => sum + treeCpuMs(pid), 0);
  const owned = stack.move();
  return {
    async measure(seconds: number): Promise<Each> {
      const before = { wal: await walPlace(), database: treeCpuMs(ground.databasePid), services: servicesMs() };
      const order = { clients: CLIENTS / processes, seconds, paths: ['/v1/ocr'], bodyFile };
      const reports = await Promise.all(apis.map((api) => load(api, order)));
      const requests = reports.reduce((sum, { answers }) => sum + answers, 0);
      return {
        databaseMs: (treeCpuMs(ground.databasePid) - before.database) / requests,
        serviceMs: (servicesMs() - before.services) / requests,
        walBytes: ((await walPlace()) - before.wal) / requests,
        perSecond: reports.reduce((sum, { perSecond }) => sum + perSecond, 0),
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function makeDatabase(clusterUrl: string, name: string): Promise<string> {
  const cluster = new Client({ connectionString: clusterUrl });
  await cluster.connect();
  await cluster.query(`create database ${name}`);
  await cluster.end();
  const url = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href;
  await migrate(url);
  return url;
}
