import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import type { EngineWindowFiguresFragment } from '../../documents.generated.ts';
import classes from './engines.module.css';

interface EngineFiguresProps {
  readonly window: EngineWindowFiguresFragment;
  /** Of which time they are. */
  readonly words: string;
}

/** The engine's figures of the time range, above the chart that says when. */
export function EngineFigures({ window, words }: EngineFiguresProps) {
  const { requests, errorRate, p50Ms, p95Ms, p99Ms, unavailable } = window;
  const isBad = isHighErrorRate(window);
  return (
    <dl className={classes['figures']} aria-label={`The engine’s figures ${words}`}>
      <Figure name="p50 per page" figure={duration(p50Ms)} />
      <Figure name="p95 per page" figure={duration(p95Ms)} />
      <Figure name="p99 per page" figure={duration(p99Ms)} />
      <Figure name="Runs" figure={count(requests)} />
      <Figure name="Errors" figure={share(errorRate)} isBad={isBad} />
      <Figure name="Refused calls" figure={count(unavailable)} isBad={unavailable > 0} />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly figure: string;
  readonly isBad?: boolean;
}

function Figure({ name, figure, isBad = false }: FigureProps) {
  return (
    <div className="kit-panel">
      <dt className="kit-soft">{name}</dt>
      <dd className={isBad ? classes['manyErrors'] : undefined}>{figure}</dd>
    </div>
  );
}
