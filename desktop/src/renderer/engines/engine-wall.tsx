import { plural } from '@ocr-router/ui/format/count.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { lazy, Suspense, useMemo } from 'react';
import { EngineWallDocument, EngineWallHealthDocument } from '../../documents.generated.ts';
import { useRefetchOn } from '../graphql/use-refetch-on.ts';
import page from '../kit/page.module.css';
import { useTimeRange } from '../navigation/time-range.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { EngineCard } from './engine-card.tsx';
import { EngineTable } from './engine-table.tsx';
import classes from './engines.module.css';
import { usePins } from './use-pins.ts';
import { useWallFilter } from './use-wall-filter.ts';
import { filterWall, type WallEngine, wallEngines } from './wall-engine.ts';
import { WallToolbar } from './wall-toolbar.tsx';

/** Charts are fetched when they are first looked at. */
const CompareEngines = lazy(async () => ({ default: (await import('./compare-engines.tsx')).CompareEngines }));

const REFRESH_MS = 60_000;

/** All engines at a glance, worst first: as cards, as a table that sorts, or compared over time. */
export function EngineWall() {
  const [range] = useTimeRange();
  const [view] = useSearchParam('view');
  const [filter] = useWallFilter();
  const [pins, togglePin] = usePins();
  const answer = useQuery(EngineWallDocument, { hours: range.hours });
  useRefetchOn(EngineWallHealthDocument, answer.refetch);
  const nowMs = useNow(REFRESH_MS);
  const engines = useMemo(
    () => (answer.data ? wallEngines(answer.data, { pins, nowMs }) : []),
    [answer.data, pins, nowMs],
  );
  const shown = useMemo(() => filterWall(engines, filter), [engines, filter]);
  return (
    <div className={classes['wallPage']}>
      <header className={classes['wallHead']}>
        <h1 className={page['title']}>Engines</h1>
        <span className="kit-soft">
          {engines.length > 0 && countWords(view === 'compare' ? engines.length : shown.length, engines.length)}
        </span>
        <WallToolbar engines={engines} />
      </header>
      <ResultNews
        asked={JSON.stringify(filter)}
        found={engines.length > 0 ? foundWords(shown.length, engines.length) : null}
      />
      <Answer subject="The engines" answer={answer} loadingRows={10}>
        {() =>
          view === 'compare' ? (
            <Suspense fallback={<Loading rows={8} label="Comparison: loading" />}>
              <CompareEngines />
            </Suspense>
          ) : (
            <Wall shown={shown} asTable={view === 'table'} onPin={togglePin} anyEngines={engines.length > 0} />
          )
        }
      </Answer>
    </div>
  );
}

function countWords(shown: number, all: number): string {
  return shown === all ? plural(all, 'engine') : `${shown} of ${all}`;
}

function foundWords(shown: number, all: number): string {
  return shown === all ? plural(all, 'engine') : `${shown} of ${plural(all, 'engine')}`;
}

interface WallProps {
  readonly shown: readonly WallEngine[];
  readonly asTable: boolean;
  readonly onPin: (id: string) => void;
  readonly anyEngines: boolean;
}

function Wall({ shown, asTable, onPin, anyEngines }: WallProps) {
  if (!anyEngines) return <Empty title="No engines yet">The gateway’s catalogue is empty.</Empty>;
  if (shown.length === 0) return <Empty title="No engine matches the filter" />;
  if (asTable) return <EngineTable engines={shown} />;
  return (
    <ul className={classes['wall']}>
      {shown.map((engine) => (
        <li key={engine.id}>
          <EngineCard engine={engine} onPin={onPin} />
        </li>
      ))}
    </ul>
  );
}
