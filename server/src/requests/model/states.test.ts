import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FINAL_STATES, OPEN_STATES, TRANSITIONS, transitionSql } from './states.ts';

const SOURCE = resolve(import.meta.dirname, '../..');
/** What an UPDATE of requests assigns, up to its rows. */
const ASSIGNED = /update ocr_request(?: \w+)? set\b([\s\S]*?)\b(?:where|from)\b/g;
/** Migrations are history. */
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('migrations/'),
);

it('is left by nothing once it is final', () => {
  const left = Object.values(TRANSITIONS).flatMap(({ from }) => from as readonly string[]);
  expect(left.filter((state) => (FINAL_STATES as readonly string[]).includes(state))).toEqual([]);
  expect(new Set(left)).toEqual(new Set(OPEN_STATES));
});

it('says in SQL which rows a transition takes, and where it leads', () => {
  const fromOfRow = "r.status is not distinct from 'queued'";
  expect(transitionSql('claim', 'r')).toEqual({ from: "r.status = 'queued'", fromOfRow, to: "'processing'" });
  expect(transitionSql('handBack')).toMatchObject({ from: "status = 'processing'", to: "'queued'" });
  expect(transitionSql('seize', 'r')).toMatchObject({ from: 'r.finished_at is null', to: "'processing'" });
});

it('changes in no statement that does not name its transition', () => {
  const statements = sources.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(ASSIGNED)].map(([, assigned = '']) => ({ file, assigned })),
  );
  expect(statements.length).toBeGreaterThan(5);
  const bare = statements.filter(({ assigned }) => /status\s*=\s*(?:'|case[^,]*?(?:then|else) ')/.test(assigned));
  expect(bare.map(({ file }) => file)).toEqual([]);
});
