import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../test/house/product.ts';
import { WebhookReceiver } from '../test/house/webhook-receiver.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { show } from './show.ts';
import { instantEngine, makeKey, openGround } from './stage.ts';

const PICTURE = { width: 61, height: 61 };
const OTHERS = 20;
const PAUSE_MS = 20;
const PATIENCE_MS = 60_000;
const BAR = 2;

/** What 20 receivers that never answer do to the announcements of another one: the others answer at once or hang. */
export async function benchWebhooks(options: { rounds: number; seconds: number }): Promise<Row[]> {
  const pairs = await interleave(
    options.rounds,
    () => announcementsMs({ hang: true, seconds: options.seconds }),
    () => announcementsMs({ hang: false, seconds: options.seconds }),
  );
  const subject = { unit: 'ms', better: 'less' } as const;
  const rows = [
    compare({ what: 'p99', ...subject, bar: BAR }, pairs, ({ p99 }) => p99),
    compare({ what: 'p50', ...subject, bar: null }, pairs, ({ p50 }) => p50),
  ];
  show(`From a request to its webhook beside ${OTHERS} hung receivers; anchor: beside ${OTHERS} that answer`, rows);
  return rows;
}

/** One healthy receiver's announcements, each beside one to the others in turn. */
async function announcementsMs({ hang, seconds }: { hang: boolean; seconds: number }) {
  await using ground = await openGround();
  await using receiver = await WebhookReceiver.start();
  await using product = await startProduct({
    databaseUrl: ground.databaseUrl,
    engines: [instantEngine(ground.engineUrl)],
    env: { ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' },
  });
  const key = await makeKey(ground.databaseUrl);
  const body = JSON.parse(readFileSync(await writeNoiseBody(ground.folder, PICTURE), 'utf8')) as object;
  await using stack = new AsyncDisposableStack();
  const others: string[] = [];
  for (let i = 0; i < OTHERS; i++) {
    const other = stack.use(await WebhookReceiver.start());
    others.push(other.at('/', hang ? 'hang' : { status: 200 }));
  }
  const post = async (webhookUrl: string) => {
    const answer = await fetch(`${product.url}/v1/ocr`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({ ...body, mode: 'async', webhook_url: webhookUrl }),
    });
    if (answer.status !== 202) throw new Error(`the product answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };

  const announce = async (path: string) => {
    const url = receiver.at(path);
    const begun = performance.now();
    await post(url);
    while (receiver.received(path).length === 0) {
      if (performance.now() - begun > PATIENCE_MS) throw new Error(`the webhook to ${path} never arrived`);
      await sleep(1);
    }
    return (receiver.received(path)[0]?.at ?? Number.NaN) - begun;
  };

  for (const other of others) await post(other); // all of them hang from the beginning
  for (let i = 0; i < 50; i++) await announce(`/warm-${i}`);
  const latenciesMs: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end || latenciesMs.length < 100; i++) {
    await post(others[i % OTHERS] as string); // within the length
    latenciesMs.push(await announce(`/healthy-${i}`));
    await sleep(PAUSE_MS);
  }
  latenciesMs.sort((a, b) => a - b);
  const quantile = (share: number) => latenciesMs[Math.floor(share * (latenciesMs.length - 1))] ?? Number.NaN;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}
