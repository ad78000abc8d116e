import { describe, expect, it } from 'vitest';
import { read, sourcesOf } from './imports.ts';

const SERVER = 'server/src';

/** What starts a thread or a process, by the module that it comes from. */
const STARTERS: Readonly<Record<string, readonly string[]>> = {
  'node:worker_threads': ['Worker'],
  'node:child_process': ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
  piscina: ['Piscina'],
};

/** Who is given all of the service's environment, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'platform/node-version.ts': 'it starts the service itself, with another Node',
  'requests/run/heartbeat.ts':
    'no document comes near it, and it reaches the database as the pools do, whose PGSSLMODE or PGPASSFILE may stand there',
};

interface Start {
  readonly file: string;
  /** What stands between the brackets of the call. */
  readonly handed: string;
}

const starts = sourcesOf(SERVER).flatMap(startsOf);

/** Everything else decodes documents of strangers, or could: a wrong decoder holds no keys that it could tell. */
describe('what the service starts', () => {
  it('is found', () => {
    expect(starts.length).toBeGreaterThanOrEqual(9);
    expect(starts.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
  });

  it('is given an environment of its own', () => {
    const heirs = starts.filter(({ handed }) => !/\benv\b/.test(handed)).map(({ file }) => file);
    expect(heirs.filter((file) => !(file in EXCEPTIONS))).toEqual([]);
  });

  it('is never given the service’s', () => {
    expect(starts.filter(({ handed }) => /process\.env|SHARE_ENV/.test(handed)).map(({ file }) => file)).toEqual([]);
  });
});

function startsOf(file: string): Start[] {
  const source = read(SERVER, file);
  return localNames(source).flatMap((name) =>
    [...source.matchAll(new RegExp(`\\b${name}(?:<[^(]*>)?\\)?\\(`, 'g'))].map(({ index, 0: call }) => ({
      file,
      handed: untilClosed(source.slice(index + call.length)),
    })),
  );
}

/** As which names a file has the starters: `Thread` of `Worker as Thread`. */
function localNames(source: string): string[] {
  return [...source.matchAll(/import \{([^}]*)\} from '([^']+)'/g)].flatMap(([, names = '', module = '']) =>
    names.split(',').flatMap((each) => {
      const [name = '', local = name] = each.trim().split(' as ');
      return STARTERS[module]?.includes(name) ? [local] : [];
    }),
  );
}

/** As far as the bracket that closes what was open before the text. */
function untilClosed(text: string): string {
  let open = 1;
  const end = [...text].findIndex((character) => {
    if (character === '(') open++;
    if (character === ')') open--;
    return open === 0;
  });
  return text.slice(0, end);
}
