import { useDebouncedValue } from '@mantine/hooks';
import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { EstimateCostDocument } from '../documents.generated.ts';
import type { Draft } from './draft.ts';
import { obstacleText } from './engine-words.ts';
import { notCovered } from './estimate-words.ts';
import classes from './playground.module.css';

/** What sending would cost with one engine, before it is sent. */
export function CostNote({ engine, draft }: { readonly engine: string; readonly draft: Draft }) {
  const [asked] = useDebouncedValue(
    {
      engine,
      pageCount: draft.pageCount,
      pageRange: draft.pageRange.trim() || null,
      fallbackEngine: draft.scannedHandling === 'fallback' ? draft.fallbackEngine : null,
    },
    250,
  );
  const { data, failure } = useQuery(EstimateCostDocument, asked);
  if (failure) return <p className={classes['mistake']}>{failureText(failure)}</p>;
  if (!data) return <p className={classes['cost']}>{engine}: …</p>;
  const { reserved, pages, tokenPriced, covered, available, obstacle } = data.estimateCost;
  return (
    <div className={classes['cost']}>
      <span>
        {engine}, {plural(pages, 'page')}
      </span>
      <strong>
        {tokenPriced ? 'about ' : ''}
        {money(reserved)}
      </strong>
      {tokenPriced && <small>This much is reserved; the charge depends on the tokens used.</small>}
      {!covered && <small className={classes['mistake']}>{notCovered(available, reserved)}</small>}
      {obstacle && <small className={classes['mistake']}>It takes no requests now: {obstacleText(obstacle)}.</small>}
    </div>
  );
}
