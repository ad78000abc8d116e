/** What a query answered last. */
export interface Snapshot {
  readonly data: Record<string, unknown>;
  readonly savedAtMs: number;
}

export interface Snapshots {
  load(key: string): Promise<Snapshot | undefined>;
  save(key: string, data: Record<string, unknown>): Promise<void>;
}

const STORE = 'snapshots';
const KEPT_MS = 7 * 86_400_000;

/** The last answers of one gateway, in the browser's own database, for seven days and without document text. */
export function openSnapshots(profileId: string): Snapshots {
  const database = open(`console-${profileId}`);
  return {
    async load(key) {
      const found = await run<Snapshot | undefined>(database, 'readonly', (store) => store.get(key));
      return found !== undefined && Date.now() - found.savedAtMs < KEPT_MS ? found : undefined;
    },
    async save(key, data) {
      // An object stays one.
      const snapshot: Snapshot = { data: withoutText(data) as Record<string, unknown>, savedAtMs: Date.now() };
      await run(database, 'readwrite', (store) => store.put(snapshot, key));
    },
  };
}

/** Fields that hold what a document says, or what was sent because of it. */
const TEXT_FIELDS = new Set([
  'extractedText',
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

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
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
