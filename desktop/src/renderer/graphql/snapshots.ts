/** What a query answered last. */
export interface Snapshot {
  readonly data: Record<string, unknown>;
  readonly savedAtMs: number;
}

export interface Snapshots {
  load(key: string): Promise<Snapshot | undefined>;
  save(key: string, data: Record<string, unknown>): Promise<void>;
}

const PREFIX = 'console-';
const STORE = 'snapshots';
const BY_AGE = 'by-age';
const KEPT_MS = 7 * 86_400_000;
const MOST_KEPT = 500;
/** Between two looks at what is too old or too much. */
const PRUNE_EVERY = 50;

/** The last answers of one gateway, in the browser's own database: 500 of seven days, and without document text. */
export function openSnapshots(profileId: string): Snapshots {
  const database = open(PREFIX + profileId);
  database.then(prune).catch(() => {}); // it holds snapshots only: what cannot be pruned now is the next time
  let saved = 0;
  return {
    async load(key) {
      const found = await run<Snapshot | undefined>(database, 'readonly', (store) => store.get(key));
      return found !== undefined && Date.now() - found.savedAtMs < KEPT_MS ? found : undefined;
    },
    async save(key, data) {
      // An object stays one.
      const snapshot: Snapshot = { data: withoutText(data) as Record<string, unknown>, savedAtMs: Date.now() };
      await run(database, 'readwrite', (store) => store.put(snapshot, key));
      if (++saved % PRUNE_EVERY === 0) await prune(await database);
    },
  };
}

/** Deletes what a gateway answered: another key may not see it. */
export async function forgetSnapshots(profileId: string): Promise<void> {
  const database = await open(PREFIX + profileId);
  await run(Promise.resolve(database), 'readwrite', (store) => store.clear());
  database.close();
}

/** Deletes the answers of every gateway that is none of these any more. */
export async function keepSnapshotsOf(profileIds: readonly string[]): Promise<void> {
  const kept = new Set(profileIds.map((id) => PREFIX + id));
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith(PREFIX) && !kept.has(name)) await settled(indexedDB.deleteDatabase(name));
  }
}

/** Deletes what is too old, and the oldest of what is too much. */
async function prune(database: IDBDatabase): Promise<void> {
  const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
  const total = await settled(store.count());
  const old = await settled(store.index(BY_AGE).count(IDBKeyRange.upperBound(Date.now() - KEPT_MS)));
  const gone = Math.max(old, total - MOST_KEPT);
  if (gone <= 0) return;
  const cursors = store.index(BY_AGE).openKeyCursor();
  let left = gone;
  await new Promise<void>((resolve, reject) => {
    cursors.onerror = () => reject(cursors.error);
    cursors.onsuccess = () => {
      const cursor = cursors.result;
      if (cursor === null || left-- === 0) return resolve();
      store.delete(cursor.primaryKey);
      cursor.continue();
    };
  });
}

/** Fields that hold what a document says, or what was sent because of it. */
const TEXT_FIELDS = new Set([
  'extractedText',
  'extractedTextIfShort',
  'extractedTextPlain',
  'extractedTextPreview',
  'renderedBody',
  'text',
  'payload',
  'body',
]);

/** A copy in which every document text is null. */
export function withoutText(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutText);
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, TEXT_FIELDS.has(name) ? null : withoutText(value)]),
  );
}

async function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 2);
  request.onupgradeneeded = ({ oldVersion }) => {
    // The first version had no index and deleted nothing: what it kept is not worth keeping.
    if (oldVersion > 0) request.result.deleteObjectStore(STORE);
    request.result.createObjectStore(STORE).createIndex(BY_AGE, 'savedAtMs');
  };
  // A window of an earlier version holds it: the page goes on without snapshots, rather than wait for that.
  const blocked = new Promise<never>((_, reject) => {
    request.onblocked = () => reject(new Error('another window holds the snapshots'));
  });
  const database = await Promise.race([settled(request), blocked]);
  database.onversionchange = () => database.close(); // it is deleted
  return database;
}

async function run<Result>(
  database: Promise<IDBDatabase>,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const store = (await database).transaction(STORE, mode).objectStore(STORE);
  return settled(act(store));
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
