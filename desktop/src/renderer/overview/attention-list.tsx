import { lasting } from '@ocr-router/ui/format/age.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { Link } from 'wouter';
import type { OverviewQuery } from '../../documents.generated.ts';
import { attention } from './attention.ts';
import classes from './overview.module.css';

/** What somebody should look at, worst first. */
export function AttentionList({ now }: { readonly now: OverviewQuery }) {
  const nowMs = useNow(10_000);
  const items = attention(now, nowMs);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className={classes['heading']}>
        Needs attention
      </h2>
      {items.length === 0 ? (
        <p className={`kit-panel ${classes['quiet']}`}>
          <StatusMark state="healthy" word={quietWords(now.quietSince, nowMs)} />
        </p>
      ) : (
        <ul className={`kit-panel ${classes['items']}`}>
          {items.map(({ state, word, title, detail, href }) => (
            <li key={title}>
              <Link href={href} className={classes['item']}>
                <StatusMark state={state} word={word} />
                <span className={classes['itemTitle']}>{title}</span>
                <span className={classes['itemDetail']}>{detail}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function quietWords(since: string | null, nowMs: number): string {
  return since === null ? 'All quiet' : `All quiet since ${lasting(since, nowMs)}`;
}
