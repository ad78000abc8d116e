import { expect, it } from 'vitest';
import { showReport } from './show-report.ts';
import { runUnderLoad } from './under-load.ts';

const SEED = 11;

it('a database that is away, answers that are lost and an event loop that stands still cost nothing that was accepted', {
  timeout: 300_000,
}, async () => {
  const report = await runUnderLoad({
    seed: SEED,
    seconds: 1, // every fault once
    redis: false,
    faults: ['database-away', 'lost-answers', 'held-loop'],
    ways: ['read-only'],
    awaySeconds: [5, 5],
    holdMs: 12_000, // longer than a lease
  });
  console.log(showReport(report));
  expect(report.broken, showReport(report)).toEqual([]);
  for (const { kind, blows } of report.faults) expect(blows, kind).not.toEqual([]);
  expect(report.evidence.rows.length).toBeGreaterThan(0);
});
