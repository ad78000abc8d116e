import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A second name, or one that no native says, with the one that both faces have. */
const SECOND_NAMES: ReadonlyArray<readonly [second: RegExp, first: string]> = [
  [/failed requests/i, 'not read: rejected ones are meant, too'],
  [/\bmedian\b/i, 'p50'],
  [/next credit/i, 'next top-up'],
  [/"colours"|(dark|light) appearance/i, 'theme'],
  [/engine ended/i, 'attempt ended'],
  [/webhook failed/i, 'webhook not delivered'],
  [/\bnot told\b/i, 'not reported'],
  [/\b(is|are) (free again|freed)\b/i, 'released'],
  [/\banew\b/i, 'again'],
  [/is degraded (for|since)/i, 'has been degraded for …'],
  [/drained in/i, 'empty in'],
  [/what operators did/i, 'audit log'],
  [/(have|has) not told/i, 'not reported'],
  [/\bin short\b/i, 'the thing itself, at once'],
  [/\bTook\b/, 'engine time, or total time'],
  [/\bJobs\b/, 'requests: a job is a large one'],
  [/\bSpent\b|(was|were) spent/, 'charged'],
  [/\b(is|are) no (address|base64|runs?|request|document|graphql)\b/i, 'is not a …'],
];

/** Where sentences of a face stand, or come from. */
const SOURCES = [
  '{desktop,dashboard,ui}/src/**/*.{ts,tsx,json}',
  'server/src/monitoring/alerts/observe.ts',
  'server/src/monitoring/alerts/kinds/alert-kind.ts',
];

it('has one name for one thing, and no second one, in both faces', () => {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !/\.test\.|generated/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => {
    const words = withoutComments(readFileSync(join(ROOT, file), 'utf8'));
    return SECOND_NAMES.flatMap(([second, first]) => {
      const said = second.exec(words)?.[0];
      return said === undefined ? [] : [`${file}: “${said}” is called: ${first}`];
    });
  });
  expect(found).toEqual([]);
});

/** A file's code, as one line: sentences go over several. */
function withoutComments(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/(^|\s)\/\/ .*$/gm, ' ')
    .replace(/\s+/g, ' ');
}
