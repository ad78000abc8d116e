import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, graphOf, importsOf, read, sourcesOf } from './imports.ts';

const SERVER = 'server/src';

/** The rooms of the server, lowest first: a file may import from its own room and from those below. */
const ROOMS = [
  'platform',
  'database',
  'documents',
  'accounts',
  'engines',
  'billing',
  'webhooks',
  'requests',
  'usage',
  'monitoring',
  'graphql',
  'rest',
  'http',
  'entities.ts',
  'app.ts',
  'admin',
  'service.ts',
  'serve.ts',
  'main.ts',
  'api.ts',
  'worker.ts',
];

/** Rooms that `rest` must not know: it runs documents. */
const SLICES = ['accounts', 'engines', 'billing', 'webhooks', 'requests', 'usage', 'monitoring', 'documents'];

const MOST_ROOMS = 14;
const MOST_FILES = 25;
const LONGEST_FILE = 350;

const files = sourcesOf(SERVER);

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** What stands at the top of these folders is a room of its own: it puts the others together, or all of them stand on it. */
const TOPS = ['.', 'core', 'renderer'];

function folderOf(file: string): string {
  return TOPS.includes(dirname(file)) ? file : dirname(file);
}

describe('the server', () => {
  it('has a floor for every room', () => {
    expect(files.length).toBeGreaterThan(50);
    expect([...new Set(files.map(roomOf))].filter((room) => !ROOMS.includes(room))).toEqual([]);
  });

  it('imports downwards only', () => {
    const wrong = files.flatMap((file) =>
      importsOf(SERVER, file)
        .filter((target) => ROOMS.indexOf(roomOf(target)) > ROOMS.indexOf(roomOf(file)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the REST facade free of slices', () => {
    const wrong = files
      .filter((file) => roomOf(file) === 'rest')
      .flatMap((file) =>
        importsOf(SERVER, file)
          .filter((target) => SLICES.includes(roomOf(target)))
          .map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('reads the environment in config.ts only', () => {
    const readers = files.filter((file) => read(SERVER, file).includes('process.env'));
    // One takes its copy away before anything can read it, the last gives the libraries their default mode.
    const others = ['engines/adapters/tesseract/wasm-thread.ts', 'platform/production.ts'];
    expect(readers.toSorted()).toEqual([...others, 'platform/config.ts'].toSorted());
  });

  it('has rooms that are seen at a glance', () => {
    const all = readdirSync(resolve(import.meta.dirname, '../..', SERVER), { recursive: true, encoding: 'utf8' });
    const counts = new Map<string, number>();
    for (const file of all.filter((name) => name.endsWith('.ts') && !name.includes('migrations/'))) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
    expect(new Set(files.filter((file) => file.includes('/')).map(roomOf)).size).toBeLessThanOrEqual(MOST_ROOMS);
  });

  it('has no file that is long without saying why', () => {
    const long = files.filter((file) => read(SERVER, file).split('\n').length > LONGEST_FILE);
    expect(long).toEqual([]);
  });
});

const PACKAGES = [
  SERVER,
  'cli/src',
  'sdk/typescript/src',
  'demo/src',
  'embedded-postgres/src',
  'desktop/src',
  'dashboard/src',
  'ui/src',
];

describe.each(PACKAGES)('%s', (folder) => {
  it('has no cycle between files', () => {
    const graph = graphOf(folder);
    expect([...graph.values()].some((targets) => targets.size > 0)).toBe(true);
    expect(cyclesIn(graph)).toEqual([]);
  });

  it('has no cycle between folders', () => {
    expect(cyclesIn(graphOf(folder, folderOf))).toEqual([]);
  });
});

/**
 * Which room owns which tables: only it writes them. Rooms above it may read them; everything else that touches a table
 * stands in EXCEPTIONS, with its reason.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  database: ['secret_key'],
  documents: ['stored_document'],
  accounts: [
    'account',
    'account_identity',
    'api_key',
    'audit_entry',
    'identity_key',
    'login_failure',
    'rate_window',
    'session',
    'text_purge',
  ],
  engines: ['announced_engine', 'demo_engine', 'engine_switch'],
  billing: ['account_proof', 'key_budget', 'ledger_proof', 'ledger_transfer', 'money_hour', 'money_mark', 'wallet'],
  webhooks: ['webhook', 'webhook_attempt', 'webhook_delivery'],
  requests: [
    'archived_part',
    'attempt',
    'idempotency_key',
    'idempotency_mark',
    'job_page',
    'lease_holder',
    'ocr_page',
    'ocr_request',
    'page_layout',
    'passing_text',
    'queued_request',
    'text_expiry',
  ],
  usage: ['engine_hour_cost', 'export_lease', 'usage_day', 'usage_event', 'usage_mark', 'usage_total'],
  monitoring: [
    'alert',
    'alert_channel',
    'alert_delivery',
    'alert_rule',
    'alert_setting',
    'alert_standing',
    'doctor_result',
    'engine_check',
    'engine_day',
    'engine_hour',
    'engine_hour_latency',
    'engine_probe',
    'engine_state',
    'engine_words',
    'refused_call',
    'refused_hour',
    'engine_total',
    'queue_minute',
    'queue_sampler',
    'roll_up_mark',
    'service_version',
    'worker_process',
  ],
};

const EXCEPTIONS: Readonly<Record<string, string>> = {
  // One statement for one fact: what must not be half done is done at once.
  'requests/store/accept/accept-sql.ts writes stored_document': 'a request is accepted with its document',
  'requests/store/settle/settle-sql.ts writes stored_document': 'a request that ends needs its document no more',
  'requests/store/forget.ts writes webhook_delivery': 'bodies of deliveries hold previews',
  'requests/store/forget.ts writes webhook_attempt': 'and notes of answers, and signatures of those bodies',
  'requests/store/forget.ts writes text_purge': 'how far an account is gone through',
  'accounts/store/account-store.ts writes wallet': 'an account is made with its wallet',
  'billing/pending-costs.ts writes attempt': 'a cost that is reported late stands with its attempt',
  'billing/pending-costs.ts writes ocr_request': 'and with its request',
  'billing/corrections-sql.ts writes ocr_request': 'a refund stands with its request',
  'monitoring/series/roll-up.job.ts writes attempt': 'transaction numbers that a dump brought are forgotten',
  // What a lower room reads.
  'accounts/callers/authenticate.ts reads key_budget': 'whether the key of a caller has a spending limit',
  'documents/store.ts reads ocr_request': 'a document is kept only while its request is open',
  'accounts/store/account-list.ts reads wallet': 'accounts are listed with their balance',
  'billing/pending-costs.ts reads attempt': 'the attempts whose cost is to come',
  'billing/pending-costs.ts reads ocr_request': 'and their requests',
  'billing/corrections-sql.ts reads ocr_request': 'what was charged, before it is refunded',
  'billing/ledger-proof-sql.ts reads ocr_request': 'the books are proven against the requests',
  'billing/ledger-proof-sql.ts reads usage_day': 'and against what was counted of them',
  'billing/ledger-proof-sql.ts reads usage_event': 'and is not counted yet',
  'billing/ledger-proof-sql.ts reads usage_mark': 'and up to where',
  'billing/ledger-proof-sql.ts reads usage_total': 'and in all',
  'requests/archive/old-parts.ts reads roll_up_mark': 'what is not counted yet is not archived',
  'database/replica.ts reads lease_holder': 'how old the newest heartbeat on a replica is',
  'database/reports-ready.ts reads usage_mark': 'whether what a dump brought is counted',
  'database/reports-ready.ts reads money_mark': 'likewise',
};

describe('tables', () => {
  const tables = tablesOfMigrations();

  it('have one owner each', () => {
    const owned = Object.values(OWNERS).flat();
    expect(owned.toSorted()).toEqual([...tables].toSorted());
  });

  it('are all in docs/scale.md, which says how they grow', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/scale.md'), 'utf8');
    const [, listed = ''] = /\n## What stays, and what goes\n(.*?)\n## /s.exec(text) ?? [];
    const named = [...listed.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(named.toSorted()).toEqual([...tables].toSorted());
  });

  it('are touched by their owner, and read from above', () => {
    const touched = files
      .filter((file) => !file.includes('migrations/'))
      .flatMap((file) => [...touchesOf(file, tables)].map((touch) => ({ file, ...parse(touch) })));
    expect(touched.length).toBeGreaterThan(50);
    const strange = touched
      .filter(({ file, table, how }) => {
        const [at, owner] = [ROOMS.indexOf(roomOf(file)), ROOMS.indexOf(ownerOf(table))];
        return how === 'writes' ? at !== owner : at < owner;
      })
      .map(({ file, how, table }) => `${file} ${how} ${table}`);
    expect([...new Set(strange)].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
  });
});

function ownerOf(table: string): string {
  return Object.entries(OWNERS).find(([, owned]) => owned.includes(table))?.[0] ?? '';
}

function tablesOfMigrations(): Set<string> {
  const made = new Set<string>();
  for (const file of files.filter((name) => name.includes('migrations/'))) {
    const text = read(SERVER, file);
    for (const [, name = ''] of text.matchAll(/create (?:unlogged )?table (\w+)/g)) made.add(name);
    for (const [, name = ''] of text.matchAll(/drop table (?:if exists )?(\w+)/g)) made.delete(name);
  }
  return made;
}

/** `reads x` and `writes x` for the tables of a file's SQL. */
function touchesOf(file: string, tables: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [, verb = '', table = ''] of read(SERVER, file).matchAll(
    /\b(delete from|insert into|update|truncate|from|join|using)\s+(\w+)/gi,
  )) {
    if (tables.has(table)) found.add(`${/^(from|join|using)$/i.test(verb) ? 'reads' : 'writes'} ${table}`);
  }
  return found;
}

function parse(touch: string): { how: string; table: string } {
  const [how = '', table = ''] = touch.split(' ');
  return { how, table };
}

it('CONTRIBUTING shows the rooms as they are', () => {
  const root = resolve(import.meta.dirname, '../..');
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const shown = [...text.matchAll(/^ {2}src\/([\w-]+)\//gm)].map(([, room]) => room ?? '');
  const rooms = [...new Set(files.filter((file) => file.includes('/')).map(roomOf))];
  expect(shown.toSorted()).toEqual(rooms.toSorted());
});
