import { Button } from '@mantine/core';
import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMemo } from 'react';
import type { Draft, Source } from './draft.ts';
import type { Estimate } from './estimate-document.ts';
import { allPagesOf, estimateNotes, pagesText } from './estimate-words.ts';
import classes from './playground.module.css';
import { requestBody } from './request-body.ts';
import { useEstimate } from './use-estimate.ts';

interface DocumentCostProps {
  readonly engine: string;
  readonly draft: Draft;
  readonly source: Source;
  /** The most that the engine reads of a document. */
  readonly mostPages: number;
  readonly onPages: (pages: number) => void;
}

/** What this document would cost with one engine, and how many of its pages would be read. */
export function DocumentCost({ engine, draft, source, mostPages, onPages }: DocumentCostProps) {
  const { pageCount, pageRange, scannedHandling, fallbackEngine, fallback, language } = draft;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else the form says costs nothing
  const body = useMemo(
    () => requestBody({ ...draft, isAsync: false, positions: false }, engine, source),
    [engine, source, pageCount, pageRange, scannedHandling, fallbackEngine, fallback, language],
  );
  const state = useEstimate(body);
  if (state.kind === 'asking') return <p className={classes['cost']}>{engine}: …</p>;
  if (state.kind === 'failed') return <p className={classes['mistake']}>{state.message}</p>;
  const { estimate } = state;
  const all = allPagesOf(estimate, { mostPages, isRange: pageRange.trim() !== '' });
  return (
    <div className={classes['cost']}>
      <span>
        {engine}, {pagesText(estimate)}
      </span>
      <Price estimate={estimate} />
      {estimateNotes(estimate).map(({ words, isMistake }) => (
        <small key={words} className={isMistake ? classes['mistake'] : undefined}>
          {words}
        </small>
      ))}
      {all !== null && (
        <Button variant="default" size="compact-xs" className={classes['allPages']} onClick={() => onPages(all)}>
          Read {all < estimate.pages_total ? 'the first' : 'all'} {plural(all, 'page')}
        </Button>
      )}
    </div>
  );
}

function Price({ estimate }: { readonly estimate: Estimate }) {
  return (
    <strong>
      {estimate.token_priced ? 'about ' : ''}
      {money(estimate.reserved_usd)}
    </strong>
  );
}
