import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { Panel } from '../kit/panel.tsx';
import classes from './playground.module.css';
import { plainTextOf } from './result-text.ts';
import type { Run } from './run.ts';

/** Longer than that, and a page would stand still. */
const LIMIT_MS = 2000;

type Done = Run & { readonly phase: Extract<Run['phase'], { kind: 'done' }> };

export function isDone(run: Run): run is Done {
  return run.phase.kind === 'done';
}

/** Where two engines read something else: word by word, as text, told apart by a line as well as by colour. */
export function Difference({ left, right }: { readonly left: Done; readonly right: Done }) {
  const [before, after] = [plainTextOf(left.phase.result), plainTextOf(right.phase.result)];
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: LIMIT_MS }), [before, after]);
  return (
    <Panel title="Difference">
      <p className={classes['versus']}>
        {timeAndCost(left)} · {timeAndCost(right)}
      </p>
      {parts === undefined && <p>The texts are too long, and too different, to be compared here.</p>}
      {parts?.length === 1 && !parts[0]?.added && !parts[0]?.removed && <p>Both read the same.</p>}
      {parts && parts.length > 0 && (
        <>
          <p className={classes['legend']}>
            <del>only {left.engine}</del> <ins>only {right.engine}</ins>
          </p>
          <section
            className={`${classes['diff']} kit-any-direction`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
            tabIndex={0}
            aria-label="Both texts, with what differs"
          >
            {parts.map(({ value, added, removed }, index) => {
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never move
              if (added) return <ins key={index}>{value}</ins>;
              // biome-ignore lint/suspicious/noArrayIndexKey: the same
              return removed ? <del key={index}>{value}</del> : <span key={index}>{value}</span>;
            })}
          </section>
        </>
      )}
    </Panel>
  );
}

function timeAndCost({ engine, phase }: Done): string {
  return `${engine}: ${duration(phase.tookMs)}, ${money(phase.result.cost_debited)}`;
}
