import { SNAPSHOT_AT } from '@ocr-router/ui/graphql/use-query.ts';
import { parse } from 'graphql';
import { type AnyVariables, Client, type OperationResult, type TypedDocumentNode } from 'urql';
import { expect, it } from 'vitest';
import type { Bridge } from '../../shared/channels.ts';
import { bridgeExchange } from './bridge-exchange.ts';
import { resumeExchange } from './resume-exchange.ts';
import { SNAPSHOT_OF, snapshotExchange } from './snapshot-exchange.ts';
import { type Snapshot, withoutText } from './snapshots.ts';

const NUMBER: TypedDocumentNode<{ number: number }, AnyVariables> = parse('query Number { number }');
const EVENTS: TypedDocumentNode<{ event: number }, AnyVariables> = parse('subscription Events { event }');

it('sends queries over the bridge and hands on what the service says', async () => {
  const { client, gateway } = console();
  gateway.answer = () => ({ data: { number: 7 } });
  expect((await client.query(NUMBER, {}).toPromise()).data).toEqual({ number: 7 });
  expect(gateway.asked).toEqual(['query Number { number }']);

  gateway.answer = () => ({ data: null, errors: [{ message: 'No.', extensions: { code: 'not_found' } }] });
  const { error } = await client.query(NUMBER, {}, { requestPolicy: 'network-only' }).toPromise();
  expect(error?.graphQLErrors.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
    ['No.', 'not_found'],
  ]);
});

it('gives the last answer, with its time, when the gateway cannot be reached', async () => {
  const { client, gateway } = console();
  gateway.answer = () => ({ data: { number: 7 } });
  await client.query(NUMBER, {}).toPromise();
  gateway.answer = () => {
    throw new Error('The gateway cannot be reached.');
  };
  const { data, error, extensions } = await client.query(NUMBER, {}, { requestPolicy: 'network-only' }).toPromise();
  expect([data, error, extensions?.[SNAPSHOT_AT]]).toEqual([{ number: 7 }, undefined, 1000]);
});

it('finds the last answer to a question whose time goes on', async () => {
  const { client, gateway } = console();
  const ask = (from: number) => client.query(NUMBER, { from }, { [SNAPSHOT_OF]: { hours: 1 } } as object).toPromise();
  gateway.answer = () => ({ data: { number: 7 } });
  await ask(1);
  gateway.answer = () => {
    throw new Error('The gateway cannot be reached.');
  };
  expect((await ask(2)).data).toEqual({ number: 7 });
});

it('shows the failure where there is no answer to fall back to', async () => {
  const { client, gateway } = console();
  gateway.answer = () => {
    throw new Error('The gateway cannot be reached.');
  };
  const { data, error } = await client.query(NUMBER, {}).toPromise();
  expect([data, error?.networkError?.message]).toEqual([undefined, 'The gateway cannot be reached.']);
});

it('asks the queries that are shown again after a reconnection, and no others', async () => {
  const { client, gateway, reconnect } = console();
  let number = 0;
  gateway.answer = () => {
    number += 1;
    return { data: { number } };
  };
  const seen: unknown[] = [];
  const shown = client.query(NUMBER, {}).subscribe((result) => seen.push(result.data?.number));
  await settled();
  reconnect();
  await settled();
  shown.unsubscribe();
  reconnect();
  await settled();
  expect(seen.at(-1)).toBe(2);
  expect(gateway.asked).toHaveLength(2);
});

it('hands a subscription its own events until it ends', async () => {
  const { client, gateway } = console();
  const seen: Array<OperationResult['data']> = [];
  const shown = client.subscription(EVENTS, {}).subscribe((result) => seen.push(result.data));
  await settled();
  const [id = ''] = gateway.subscribed;
  gateway.emit({ id, data: { event: 1 } });
  gateway.emit({ id: 'another', data: { event: 2 } });
  shown.unsubscribe();
  gateway.emit({ id, data: { event: 3 } });
  expect(seen).toEqual([{ event: 1 }]);
  expect(gateway.unsubscribed).toEqual([id]);
});

it('subscribes again when the page has its shell back, to what has not ended', async () => {
  const { client, gateway } = console();
  const seen: Array<OperationResult['data']> = [];
  client.subscription(EVENTS, {}).subscribe((result) => seen.push(result.data));
  await settled();
  const [id = ''] = gateway.subscribed;
  gateway.comeBack();
  expect(gateway.subscribed).toEqual([id, id]);
  gateway.emit({ id, data: { event: 1 } });
  expect(seen).toEqual([{ event: 1 }]);
  gateway.emit({ id, complete: true });
  gateway.comeBack();
  expect(gateway.subscribed).toEqual([id, id]);
});

it('keeps no document text in a snapshot', () => {
  const answer = {
    request: { id: 'ocr_1', extractedTextPreview: 'secret', pageResults: [{ number: 1, text: 'secret' }] },
  };
  expect(withoutText(answer)).toEqual({
    request: { id: 'ocr_1', extractedTextPreview: null, pageResults: [{ number: 1, text: null }] },
  });
});

/** A client over a scripted bridge. */
function console() {
  type Listener = (event: { id: string; data?: unknown; complete?: boolean }) => void;
  const listeners = { 'graphql.event': new Set<Listener>(), 'bridge.back': new Set<() => void>() };
  const gateway = {
    answer: (): unknown => ({ data: null }),
    asked: [] as string[],
    subscribed: [] as string[],
    unsubscribed: [] as string[],
    emit: (event: Parameters<Listener>[0]) => {
      for (const listener of [...listeners['graphql.event']]) listener(event);
    },
    comeBack: () => {
      for (const listener of [...listeners['bridge.back']]) listener();
    },
  };
  const bridge = {
    invoke: async (channel: string, input: { id: string; query: string }) => {
      if (channel === 'graphql.subscribe') gateway.subscribed.push(input.id);
      if (channel === 'graphql.unsubscribe') gateway.unsubscribed.push(input.id);
      if (channel !== 'graphql.execute') return undefined;
      gateway.asked.push(input.query);
      return gateway.answer();
    },
    on: (event: keyof typeof listeners, listener: Listener & (() => void)) => {
      listeners[event].add(listener);
      return () => listeners[event].delete(listener);
    },
  } as unknown as Bridge; // only what these tests call
  const saved = new Map<string, Snapshot>();
  const snapshots = {
    load: async (key: string) => saved.get(key),
    save: async (key: string, data: Record<string, unknown>) => void saved.set(key, { data, savedAtMs: 1000 }),
  };
  let reconnect = (): void => {};
  const reconnections = {
    subscribe: (onLive: () => void) => {
      reconnect = onLive;
      return () => {};
    },
  };
  const client = new Client({
    url: 'bridge:',
    requestPolicy: 'network-only',
    preferGetMethod: false,
    exchanges: [resumeExchange(reconnections), snapshotExchange(snapshots), bridgeExchange(bridge)],
  });
  return { client, gateway, reconnect: () => reconnect() };
}

/** Lets answered promises reach their readers. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
